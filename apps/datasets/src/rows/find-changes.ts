import type { listChanges } from '@millrace/contracts/datasets/rows';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Database } from '@millrace/persistence/database';
import type { Generation } from '@millrace/persistence/generated/client';
import type { LiveReader } from '../reading/live-reader.js';
import type { LiveShape } from '../reading/live-shape.js';
import { CHANGE_KINDS, readChanges, type Change, type ChangeKind, type ChangeRange } from './read-changes.js';

type Asked = Input<typeof listChanges>['query'];
type Answer = Result<typeof listChanges>;
type Client = Pick<Database['client'], 'generation'>;

/**
 * A page of what a run changed in a table; of what was read last, where no run is named.
 * @throws NotFoundError where the table has nothing of the run
 */
export async function findChanges(
  { client, reader }: { client: Client; reader: LiveReader },
  shape: LiveShape,
  asked: Asked,
  user: string,
): Promise<Answer> {
  const generations = await findGenerations(client, shape.id, asked.run);
  const kinds = CHANGE_KINDS.filter((kind) => asked.kind === undefined || asked.kind === kind);
  const all = kinds.flatMap((kind) =>
    generations.filter((one) => one[COUNTS[kind]] > 0n).map(({ number }) => ({ kind, generation: number, after: 0n })),
  );
  const left = asked.cursor === undefined ? all : behind(all, asked.cursor);
  const { changes, next } = await reader.read(user, [shape], async (session, [current = shape]) => {
    const taken: Change[] = [];
    for (const range of left) {
      const { changes, hasMore } = await readChanges(session, current, range, asked.page_size - taken.length);
      taken.push(...changes);
      const last = changes.at(-1)?.row ?? range.after;
      if (hasMore) return { changes: taken, next: { ...range, after: BigInt(last) } };
    }
    return { changes: taken, next: null };
  });
  const { runId, number } = generations.at(-1) ?? {};
  return {
    results: changes,
    ...(runId && { run: String(runId) }),
    ...(number !== undefined && { at: new Date(Number(number)).toISOString() }),
    counts: {
      new: sum(generations, 'new'),
      changed: sum(generations, 'changed'),
      gone: sum(generations, 'gone'),
    },
    cursor: next ? encode(next) : null,
  };
}

/** Of a run there is one for each of its nodes and outputs that the table reads. */
async function findGenerations(client: Client, datasetId: string, run: string | undefined): Promise<Generation[]> {
  const orderBy = { number: 'asc' } as const;
  if (run !== undefined) {
    const runId = /^\d{1,18}$/.test(run) ? BigInt(run) : null;
    const found = runId === null ? [] : await client.generation.findMany({ where: { datasetId, runId }, orderBy });
    if (found.length === 0) throw new NotFoundError('Changes of this run');
    return found;
  }
  const last = await client.generation.findFirst({ where: { datasetId }, orderBy: { number: 'desc' } });
  if (!last?.runId) return last ? [last] : [];
  return client.generation.findMany({ where: { datasetId, runId: last.runId }, orderBy });
}

const COUNTS = { new: 'created', changed: 'changed', gone: 'gone' } as const;

const sum = (generations: Generation[], kind: ChangeKind): number =>
  Number(generations.reduce((total, generation) => total + generation[COUNTS[kind]], 0n));

const encode = ({ kind, generation, after }: ChangeRange): string => `${kind}.${generation}.${after}`;

/** @throws ValidationError where the cursor is none of these changes */
function behind(all: ChangeRange[], cursor: string): ChangeRange[] {
  const [, kind, generation, after] = /^(\w+)\.(\d{1,18})\.(\d{1,18})$/.exec(cursor) ?? [];
  const at = all.findIndex((range) => range.kind === kind && String(range.generation) === generation);
  const range = all[at];
  if (!range) throw new ValidationError({ 'query.cursor': 'is not a cursor of these changes' });
  return [{ ...range, after: BigInt(after ?? 0) }, ...all.slice(at + 1)];
}
