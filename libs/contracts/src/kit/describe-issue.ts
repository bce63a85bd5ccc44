import type { z } from 'zod';
import { findSimilarKey } from './find-similar-key.js';

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMAT_NAMES: Record<string, string> = {
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  email: 'an email address',
  uuid: 'a UUID',
  url: 'a URL',
};

/** A rejected value is quoted up to this length, in characters. */
const MAX_QUOTED_LENGTH = 40;

/**
 * Describes a schema violation in words that follow a field's name, as in "must be at least 1 (got 0)". Texts are never
 * quoted unless the schema lists the accepted ones, because they may be secrets.
 * @returns undefined for a rare kind of issue, which keeps zod's own text. `unrecognized_keys` has one line per key.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.input, [issue.expected]);
    case 'invalid_value':
      return describeChoice(issue.input, issue.values.map(String));
    case 'too_small':
      return describeBound(issue, issue.inclusive === false ? 'greater than' : 'at least', issue.minimum);
    case 'too_big':
      return describeBound(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return describeFormat(issue);
    case 'unrecognized_keys':
      return issue.keys.map((key) => describeUnknownKey(key, knownKeys(issue.inst))).join('\n');
    case 'invalid_union':
      return describeUnion(issue);
    default:
      return undefined;
  }
}

/** @param known the keys that the schema accepts, of which a similar one is suggested */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  const similar = findSimilarKey(key, known);
  return similar === undefined ? 'is not a known field' : `is not a known field; did you mean \`${similar}\`?`;
}

function describeType(input: unknown, expected: readonly string[]): string | undefined {
  if (input === undefined) return 'is required';
  const names = expected.map((type) => TYPE_NAMES[type]);
  if (names.includes(undefined)) return undefined;
  const isFraction = typeof input === 'number' && expected[0] === 'int';
  return `must be ${[...new Set(names)].join(' or ')}${describeGot(isFraction ? String(input) : typeOf(input))}`;
}

function typeOf(input: unknown): string {
  if (input === null) return 'null';
  if (Number.isNaN(input)) return 'NaN';
  return Array.isArray(input) ? 'array' : typeof input;
}

/** A text that cannot be coerced to a number arrives as NaN, which would only puzzle the caller. */
const describeGot = (got: string): string => (got === 'NaN' ? '' : ` (got ${got})`);

function describeChoice(input: unknown, values: string[]): string {
  const choice = values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
  if (input === undefined) return `is required and must be ${choice}`;
  return `must be ${choice}${typeof input === 'string' ? ` (got ${quote(input)})` : describeGot(typeOf(input))}`;
}

const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);

function describeBound(
  issue: z.core.$ZodRawIssue & { origin: string; exact?: boolean | undefined },
  relation: string,
  limit: number | bigint,
): string | undefined {
  const { input, origin } = issue;
  const bound = `${issue.exact ? 'exactly' : relation} ${limit}`;
  if (typeof input === 'number' || typeof input === 'bigint') return `must be ${bound} (got ${input})`;
  if (origin === 'string' && typeof input === 'string') {
    if (input === '') return limit === 1 ? 'must not be empty' : `must be ${bound} characters long (got none)`;
    return `must be ${bound} characters long (got ${input.length})`;
  }
  if (Array.isArray(input)) return `must have ${bound} ${limit === 1 ? 'item' : 'items'} (got ${input.length})`;
  return undefined;
}

function describeFormat(issue: { format: string; pattern?: string | undefined }): string | undefined {
  const name = FORMAT_NAMES[issue.format];
  if (name !== undefined) return `must be ${name}`;
  return issue.format === 'regex' ? `must match the pattern ${issue.pattern}` : undefined;
}

/** Names the accepted types if every alternative expects another type of the whole value. */
function describeUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.inclusive !== false && issue.options?.length) return `must be one of ${issue.options.join(', ')}`;
  const expected = issue.errors.map(([first]) =>
    first?.path.length === 0 && first.code === 'invalid_type' ? first : null,
  );
  const types = expected.flatMap((first) => (first ? [first.expected] : []));
  const described = types.length > 0 && types.length === expected.length ? describeType(issue.input, types) : undefined;
  return described ?? 'does not match any of the accepted forms';
}

function knownKeys(schema: unknown): string[] {
  const { shape } = (schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def ?? {};
  return Object.keys(shape ?? {});
}
