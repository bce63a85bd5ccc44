import { type ColumnType } from './column.js';
import { type Field } from './field.js';

/** A query whose names are found and whose values have types. NOT stands at single tests alone. */
export type Condition = AllOrAny | Test;

export interface AllOrAny {
  kind: 'and' | 'or';
  items: Condition[];
}

export interface Test {
  kind: 'test';
  field: Field;
  test: TestName;
  /** One, but for `in` (one at least) and `null` (none). */
  values: Value[];
  /** The test holds for exactly the other rows, those without a value included. */
  negated: boolean;
}

export type TestName = '=' | '<' | '<=' | '>' | '>=' | 'in' | 'like' | 'regex' | 'has' | 'null';

export interface Value {
  /** `json`: compared as number or boolean with what lies at a path; otherwise how the text is to be read. */
  type: ColumnType;
  /** As Postgres reads it, in one spelling. */
  text: string;
}
