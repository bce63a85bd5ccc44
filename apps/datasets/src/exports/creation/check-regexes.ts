import { ValidationError } from '@millrace/contracts/kit/api-error';
import { isRegexError } from '@millrace/query/compile/describe-sql-error';
import type { Condition } from '@millrace/query/fields/condition';
import { QUERY_CANCELED, sqlStateOf } from '../../datasets/sql-states.js';
import type { LiveReader } from '../../reading/live-reader.js';
import type { LiveShape } from '../../reading/live-shape.js';

/** To read patterns; what takes longer would be no good for millions of rows, either. */
const MAX_MS = 2_000;
const READ_SQL = `SELECT count(*)::text FROM jsonb_array_elements_text($1::jsonb) AS p (pattern) WHERE '' ~ pattern`;

/**
 * Has Postgres read the regular expressions of a condition, for nobody else knows its language. That takes time like any
 * query, and a turn among them.
 * @throws ValidationError; ApiError as `LiveReader.read`
 */
export async function checkRegexes(
  { reader, user }: { reader: LiveReader; user: string },
  shape: LiveShape,
  condition: Condition | null,
): Promise<void> {
  const patterns = patternsOf(condition);
  if (patterns.length === 0) return;
  const statement = { text: READ_SQL, values: [JSON.stringify(patterns)] };
  await reader.read(user, [shape], (session) => session.run(statement).catch(explain), MAX_MS);
}

function explain(error: unknown): never {
  const state = sqlStateOf(error) ?? '';
  if (isRegexError(state)) throw new ValidationError({ 'body.q': (error as Error).message });
  if (state === QUERY_CANCELED) throw new ValidationError({ 'body.q': 'a regular expression takes too long to read' });
  throw error;
}

function patternsOf(condition: Condition | null): string[] {
  if (condition === null) return [];
  if (condition.kind !== 'test') return condition.items.flatMap(patternsOf);
  return condition.test === 'regex' ? condition.values.map(({ text }) => text) : [];
}
