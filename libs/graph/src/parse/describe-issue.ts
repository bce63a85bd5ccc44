import { type z } from 'zod';

const MAX_SHOWN_LENGTH = 80;

/** Names of the types in zod's `expected`. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/**
 * Describes what a field must be, as the end of a sentence: `must be one of "TOOL", "SCRIPT" (got "tool")`.
 * @param value the value that was parsed, in which `issue.path` leads to the field
 */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const written = readPath(value, issue.path);
  const got = ` (got ${showValue(written)})`;
  switch (issue.code) {
    case 'invalid_type':
      return written === undefined
        ? `is missing; it must be ${nameType(issue.expected)}`
        : `must be ${nameType(issue.expected)}${got}`;
    case 'invalid_value': {
      const accepted = issue.values.map((one) => JSON.stringify(one)).join(', ');
      return written === undefined ? `is missing; it must be one of ${accepted}` : `must be one of ${accepted}${got}`;
    }
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}${got}`;
    case 'too_big':
      if (issue.origin === 'string')
        return `must have at most ${issue.maximum} characters (got ${String(written).length})`;
      return issue.origin === 'array'
        ? `must have at most ${issue.maximum} entries${got}`
        : `must be at most ${issue.maximum}${got}`;
    case 'invalid_key':
      return 'must be a name of letters, digits and "_" that does not start with a digit';
    case 'invalid_union':
      return describeUnion(issue, written) + got;
    default:
      return `is not valid (${issue.message})`;
  }
}

/** Lists the types that a union accepts. A list with a wrong entry is described by that entry. */
function describeUnion({ errors }: z.core.$ZodIssueInvalidUnion, written: unknown): string {
  const issues = errors.flat();
  const entry = Array.isArray(written) ? issues.find((issue) => issue.path.length > 0) : undefined;
  if (entry !== undefined) return `must be a list whose entries are all text; entry ${String(entry.path[0])} is not`;
  const types = issues.flatMap((issue) => (issue.code === 'invalid_type' ? [nameType(issue.expected)] : []));
  return `must be ${[...new Set(types)].join(' or ')}`;
}

const nameType = (expected: string): string => TYPE_NAMES[expected] ?? expected;

/** Shows a value for a message: text in quotes, other values by their type or length. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

export const cutText = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : text;

/** Reads the value that a path of keys leads to; undefined if there is none. */
export const readPath = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
