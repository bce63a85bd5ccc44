/** A parsed query. Its names are not resolved, and its values have no types. */
export type Expression = Combination | Negation | Comparison;

export interface Combination {
  kind: 'and' | 'or';
  /** Two or more. */
  items: Expression[];
}

export interface Negation {
  kind: 'not';
  item: Expression;
}

export interface Comparison {
  kind: 'comparison';
  reference: Reference;
  operator: Operator;
  /** Position of the operator. */
  position: number;
  /** None for IS NULL, one or more for IN, otherwise one. */
  values: Literal[];
}

/** A column, optionally with a path into it. Only the columns of the table determine where the path starts. */
export interface Reference {
  segments: Segment[];
  position: number;
}

export interface Segment {
  text: string;
  quoted: boolean;
}

export interface Literal {
  text: string;
  /** Whether the value is text. An unquoted `443`, `true`, `null` or `now` may have another type. */
  quoted: boolean;
  position: number;
}

export const SYMBOL_OPERATORS = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'] as const;
export const WORD_OPERATORS = ['IN', 'NOT IN', 'LIKE', 'NOT LIKE', 'HAS', 'NOT HAS', 'IS NULL', 'IS NOT NULL'] as const;
export type Operator = (typeof SYMBOL_OPERATORS)[number] | (typeof WORD_OPERATORS)[number];

/** Words that are values only in quotes. */
export const RESERVED = new Set(['AND', 'OR', 'NOT', 'IN', 'LIKE', 'IS', 'HAS']);
