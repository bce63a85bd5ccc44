/** A query as it was written: names are not looked up, values have no type yet. */
export type Expression = Combination | Negation | Comparison;

export interface Combination {
  kind: 'and' | 'or';
  /** Two at least. */
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
  /** Where the operator stands. */
  position: number;
  /** None for IS NULL, any number for IN, else one. */
  values: Literal[];
}

/** A column, and perhaps a path into it. Where bare segments end the column's name is only known with the table. */
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
  /** A bare `443`, `true`, `null` or `now` may be more than text. */
  quoted: boolean;
  position: number;
}

export const SYMBOL_OPERATORS = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'] as const;
export const WORD_OPERATORS = ['IN', 'NOT IN', 'LIKE', 'NOT LIKE', 'HAS', 'NOT HAS', 'IS NULL', 'IS NOT NULL'] as const;
export type Operator = (typeof SYMBOL_OPERATORS)[number] | (typeof WORD_OPERATORS)[number];

/** Words that are not values where they stand bare. */
export const RESERVED = new Set(['AND', 'OR', 'NOT', 'IN', 'LIKE', 'IS', 'HAS']);
