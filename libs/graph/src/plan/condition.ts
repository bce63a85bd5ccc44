/**
 * Results of a step that a condition can use. For a step with children that the condition does not belong to, they are
 * those of all children together.
 * - `status`: `SUCCEEDED`, `FAILED`, `STOPPED` or `SKIPPED`, as the subjob of the node shows it.
 * - `exit_code`: of the last attempt; the largest one of all children.
 * - `children`, `succeeded`, `failed`, `skipped`: numbers of children. A step that runs once counts as one child. The
 *   children of a splitter are its items.
 * - `files`, `size`: number of files below `out/`, and their bytes.
 * - `lines`, `first_line`: of `out/output.txt`. The first line has no line break and at most `MAX_FIRST_LINE` characters.
 */
export const FACT_NAMES = [
  'status',
  'exit_code',
  'children',
  'succeeded',
  'failed',
  'skipped',
  'files',
  'size',
  'lines',
  'first_line',
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/** Characters of a first line; the rest of a longer line is not read. */
export const MAX_FIRST_LINE = 1_000;

/** The condition of a step (`when`) with the steps and inputs that it refers to. Pure data. */
export interface Condition {
  /** As the user wrote it. With the condition of a module: both, joined by AND. */
  text: string;
  /** Steps whose results it uses, ascending. They are predecessors of the step. */
  steps: number[];
  /** Ids of the inputs whose values it uses, keys of `Plan.primitives`. */
  inputs: string[];
  /** What to read before it is evaluated: one entry for each of `steps`, in the same order. */
  reads: ConditionRead[];
  expression: Expression<Subject>;
}

export interface ConditionRead {
  step: number;
  /** `same`: the facts of the child for which the condition is evaluated, in the same scope. `all`: of all children. */
  child: 'same' | 'all';
  facts: FactName[];
}

export type Expression<S> = Combination<S> | Negation<S> | Test<S>;

export interface Combination<S> {
  kind: 'and' | 'or';
  /** Two or more. */
  items: Expression<S>[];
}

export interface Negation<S> {
  kind: 'not';
  item: Expression<S>;
}

export interface Test<S> {
  kind: 'test';
  subject: S;
  operator: TestOperator;
  /** None for `null`, one or more for `in`, otherwise one. */
  values: (string | number | boolean)[];
  /** The test as text, such as `nodes.scan-1.lines > 0`, for messages. */
  text: string;
}

/** Each operator that begins with `not` or `!` is false for a fact without a value, like all others except `null`. */
export type TestOperator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | 'like'
  | 'not like'
  | 'null'
  | 'not null';

/** What a test is about. `value`: an input of a module that is set on the module's node. */
export type Subject =
  | { from: 'input'; primitive: string }
  | { from: 'value'; value: string | boolean }
  | { from: 'step'; step: number; fact: FactName };
