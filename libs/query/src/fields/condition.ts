import { type ColumnType } from './column.js';
import { type Field } from './field.js';

/** A checked query: its names are resolved, its values have types, and only individual tests are negated. */
export type Condition = AllOrAny | Test;

export interface AllOrAny {
  kind: 'and' | 'or';
  items: Condition[];
}

export interface Test {
  kind: 'test';
  field: Field;
  test: TestName;
  /** One value; for `in`, one or more; for `null`, none. */
  values: Value[];
  /** Whether the test is true for exactly the other rows, including rows without a value. */
  negated: boolean;
}

export type TestName = '=' | '<' | '<=' | '>' | '>=' | 'in' | 'like' | 'regex' | 'has' | 'null';

export interface Value {
  /** The type of the text. A value of type `json` is a number or a boolean. */
  type: ColumnType;
  /** The value in its canonical form, which Postgres reads. */
  text: string;
}
