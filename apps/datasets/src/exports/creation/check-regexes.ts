import { ValidationError } from '@millrace/contracts/kit/api-error';
import { isRegexError } from '@millrace/query/compile/describe-sql-error';
import type { Condition } from '@millrace/query/fields/condition';
import { QUERY_CANCELED, sqlStateOf } from '../../datasets/sql-states.js';
import type { LiveReader } from '../../reading/live-reader.js';
import type { LiveShape } from '../../reading/live-shape.js';

/** Time for Postgres to parse the patterns. A slower pattern is not usable for millions of rows. */
const PARSE_TIMEOUT_MS = 2_000;
const PARSE_SQL = `SELECT count(*)::text FROM jsonb_array_elements_text($1::jsonb) AS p (pattern) WHERE '' ~ pattern`;

/**
 * Lets Postgres parse the regular expressions of a condition, because it has its own syntax. This counts as a query against
 * the limits of the user.
 * @throws ValidationError; ApiError as `LiveReader.read`
 */
export async function checkRegexes(
  { reader, user }: { reader: LiveReader; user: string },
  shape: LiveShape,
  condition: Condition | null,
): Promise<void> {
  const patterns = findPatterns(condition);
  if (patterns.length === 0) return;
  const statement = { text: PARSE_SQL, values: [JSON.stringify(patterns)] };
  await reader.read(user, [shape], (session) => session.run(statement).catch(rejectPattern), PARSE_TIMEOUT_MS);
}

function rejectPattern(error: unknown): never {
  const state = sqlStateOf(error) ?? '';
  if (isRegexError(state)) throw new ValidationError({ 'body.q': (error as Error).message });
  if (state === QUERY_CANCELED)
    throw new ValidationError({
      'body.q': 'must not contain a regular expression that takes longer than 2 seconds to parse',
    });
  throw error;
}

function findPatterns(condition: Condition | null): string[] {
  if (condition === null) return [];
  if (condition.kind !== 'test') return condition.items.flatMap(findPatterns);
  return condition.test === 'regex' ? condition.values.map(({ text }) => text) : [];
}
