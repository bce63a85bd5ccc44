import type { Comparison, Literal } from '@millrace/query/parse/expression';
import { readNumber } from '@millrace/query/parse/read-number';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import type { TestOperator } from '../plan/condition.js';
import { ConditionError } from './condition-error.js';
import { FINAL_STATUSES } from './node-facts.js';

/** The type of the left side of a comparison. */
export type SubjectType = 'number' | 'status' | 'text' | 'boolean';

const RANGE: readonly TestOperator[] = ['<', '<=', '>', '>='];
const EQUAL = ['=', '!=', 'IN', 'IS NULL'];

const TYPE_NAMES: Record<SubjectType, string> = {
  number: 'a number',
  status: 'a status',
  text: 'a text',
  boolean: 'true or false',
};

/**
 * Reads the values of a comparison by the type of its left side. A text may also be compared with a number: an unquoted
 * number stays a number.
 * @throws ConditionError if the operator or a value does not match the type
 */
export function readValues(
  { reference, operator: written, position, values }: Comparison,
  operator: TestOperator,
  type: SubjectType,
): (string | number | boolean)[] {
  const name = reference.segments.map(({ text }) => text).join('.');
  const refuse = (accepted: string[]): never => {
    const message = `${showName(name)} is ${TYPE_NAMES[type]}, which has no ${written}`;
    throw new ConditionError(position, message, accepted, `Use one of ${accepted.join(', ')}.`);
  };
  const isLike = operator === 'like' || operator === 'not like';
  if (isLike && type !== 'text') refuse(type === 'number' ? [...EQUAL, '<', '<=', '>', '>='] : EQUAL);
  if (RANGE.includes(operator) && (type === 'status' || type === 'boolean')) refuse(EQUAL);
  return values.map((literal) => (isLike ? readPattern(literal) : readValue(literal, type, name)));
}

function readValue(literal: Literal, type: SubjectType, name: string): string | number | boolean {
  const { text, quoted, position } = literal;
  if (!quoted && text.toUpperCase() === 'NULL') {
    const hint = 'Write IS NULL or IS NOT NULL.';
    throw new ConditionError(position, 'null is accepted only after = and !=', ['a value'], hint);
  }
  const number = quoted && type === 'text' ? null : readNumber(text);
  if (type === 'text') return number === null ? text : Number(number);
  if (type === 'number') return number === null ? refuseValue(literal, name, 'a number', ['a number']) : Number(number);
  if (type === 'status') {
    const status = FINAL_STATUSES.find((one) => one === text.toUpperCase());
    return status ?? refuseValue(literal, name, 'a status', [...FINAL_STATUSES]);
  }
  if (!/^(?:true|false)$/i.test(text)) return refuseValue(literal, name, 'true or false', ['true', 'false']);
  return text.toLowerCase() === 'true';
}

function refuseValue({ text, position }: Literal, name: string, what: string, accepted: string[]): never {
  const message = `${showName(name)} needs ${what} (got ${showName(text)})`;
  const hint = accepted.length > 1 ? `Use one of ${accepted.join(', ')}.` : 'Write a number, for example 0 or 1.5.';
  throw new ConditionError(position, message, accepted, hint, 'bad_condition', () => suggestName(text, accepted));
}

/** A pattern that ends in a single backslash escapes nothing. */
function readPattern({ text, position }: Literal): string {
  if ((/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 0) return text;
  const hint = 'Write a backslash itself as two backslashes.';
  throw new ConditionError(position, 'a pattern after LIKE must not end in a single backslash', ['\\\\'], hint);
}
