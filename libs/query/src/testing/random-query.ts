import fc from 'fast-check';
import { type Column } from '../fields/column.js';
import { type Comparison, type Expression, type Literal, type Operator, type Reference } from '../parse/expression.js';
import { isBareSegment } from '../parse/read-reference.js';
import { formatAsText } from './format-as-text.js';
import { randomValue, type RandomTable } from './random-table.js';

const EQUAL: Operator[] = ['=', '!=', 'IN', 'NOT IN'];
const RANGE: Operator[] = ['<', '<=', '>', '>='];
const PATTERN: Operator[] = ['~', '!~', 'LIKE', 'NOT LIKE'];
const MISSING: Operator[] = ['IS NULL', 'IS NOT NULL'];
const MEMBER: Operator[] = ['HAS', 'NOT HAS'];

function operatorsOf({ type }: Column): Operator[] {
  if (type === 'boolean') return [...EQUAL, ...PATTERN, ...MISSING];
  return [...EQUAL, ...RANGE, ...PATTERN, ...MISSING, ...(type === 'json' ? MEMBER : [])];
}

/** A valid query of a table. Its values are often values of the rows. */
export const randomQuery = (table: RandomTable): fc.Arbitrary<Expression> =>
  fc.letrec<{ any: Expression }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      { weight: 2, arbitrary: randomComparison(table) },
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        items: fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), item: tie('any') }),
    ),
  })).any;

function randomComparison(table: RandomTable): fc.Arbitrary<Comparison> {
  return fc.constantFrom(...table.columns).chain((column) =>
    fc
      .record({ path: randomPath(column), operator: fc.constantFrom(...operatorsOf(column)) })
      .chain(({ path, operator }) =>
        randomLiterals(table, column, operator).map((values) => ({
          kind: 'comparison' as const,
          reference: referenceTo(column, path),
          operator,
          position: 0,
          values,
        })),
      ),
  );
}

export const randomPath = ({ type }: Column): fc.Arbitrary<string[]> =>
  type === 'json'
    ? fc.array(fc.constantFrom('a', 'b', 'tls', '0', '1', '-1', 'odd key', '__proto__', 'é'), { maxLength: 2 })
    : fc.constant([]);

/** Unquoted if possible. */
export function referenceTo({ name }: Column, path: string[]): Reference {
  const quoted = path.length > 0 || !isBareSegment(name) || /^not$/i.test(name);
  const rest = path.map((text) => ({ text, quoted: !isBareSegment(text) }));
  return { segments: [{ text: name, quoted }, ...rest], position: 0 };
}

function randomLiterals(table: RandomTable, column: Column, operator: Operator): fc.Arbitrary<Literal[]> {
  const value = valueOf(table, column);
  if (MISSING.includes(operator)) return fc.constant([]);
  if (operator === 'IN' || operator === 'NOT IN')
    return fc.array(
      value.map((one) => literalOf(one, column, operator)),
      { minLength: 1, maxLength: 4 },
    );
  if (!PATTERN.includes(operator)) return value.map((one) => [literalOf(one, column, operator)]);
  const text = value.map((one) => formatAsText(column.type, one).slice(0, 20));
  return (operator.endsWith('~') ? randomRegex(text) : randomLike(text)).map((pattern) => [textLiteral(pattern)]);
}

/** For json, also values inside of other values. */
function valueOf({ rows }: RandomTable, column: Column): fc.Arbitrary<unknown> {
  const own = rows.map((row) => row.get(column.name)).filter((value) => value != null);
  const all = column.type === 'json' ? own.flatMap(scalarsOf) : own;
  const fresh = randomValue(column.type).filter((value) => value !== null);
  return all.length === 0 ? fresh : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...all) }, fresh);
}

const scalarsOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(scalarsOf)] : [value ?? 0];

function literalOf(value: unknown, { type }: Column, operator: Operator): Literal {
  const isTyped = typeof value === 'number' || (typeof value === 'boolean' && !RANGE.includes(operator));
  if (type === 'json' && isTyped) return { text: JSON.stringify(value), quoted: false, position: 0 };
  const text = formatAsText(type, value);
  const isBare = type !== 'text' && type !== 'json' && /^[\w.:-]+$/.test(text);
  return { text, quoted: !isBare, position: 0 };
}

const textLiteral = (text: string): Literal => ({ text, quoted: true, position: 0 });

/** Patterns with the same meaning in Postgres and JavaScript. */
const randomRegex = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.constantFrom('', '^'), fc.constantFrom('', '$', '.', '.*', '+', '?', '|b', '[^a-z]'), fc.nat(5))
    .map(([literal, start, end, cut]) => {
      const part = [...literal].slice(cut, cut + 8);
      const escaped = part.map((char) => char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')).join('');
      return `${start}${escaped === '' ? 'a' : escaped}${end}`;
    });

const randomLike = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.constantFrom('', '%', '_'), fc.constantFrom('', '%', '_%', '\\%')).map(([literal, start, end]) => {
    const escaped = literal.replace(/[\\%_]/g, '\\$&');
    return `${start}${escaped}${end}`;
  });
