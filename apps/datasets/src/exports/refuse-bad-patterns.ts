import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Condition } from '@millrace/query/condition';
import { isRegexError } from '@millrace/query/describe-sql-error';

/** To read patterns; what takes longer would be no good for millions of rows, either. */
const MOST_MS = '2000';

/** Has Postgres read the regular expressions of a condition, for nobody else knows its language. @throws ValidationError */
export async function refuseBadPatterns(tx: Transaction, condition: Condition | null): Promise<void> {
  const patterns = patternsOf(condition);
  if (patterns.length === 0) return;
  try {
    await tx.$queryRaw`SELECT set_config('statement_timeout', ${MOST_MS}, true)`;
    await tx.$queryRaw`SELECT count(*) FROM unnest(${patterns}::text[]) AS p (pattern) WHERE '' ~ pattern`;
    await tx.$queryRaw`SELECT set_config('statement_timeout', '0', true)`;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (isRegexError(code ?? '')) throw new ValidationError({ 'body.q': message });
    if (code === '57014') throw new ValidationError({ 'body.q': 'a regular expression takes too long to read' });
    throw error;
  }
}

function patternsOf(condition: Condition | null): string[] {
  if (condition === null) return [];
  if (condition.kind !== 'test') return condition.items.flatMap(patternsOf);
  return condition.test === 'regex' ? condition.values.map(({ text }) => text) : [];
}
