import type { listChanges } from '@millrace/contracts/datasets/rows';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Database } from '@millrace/persistence/database';
import type { Generation } from '@millrace/persistence/generated/client';
import type { LiveReader } from '../reading/live-reader.js';
import type { LiveShape } from '../reading/live-shape.js';
import { CHANGE_KINDS, readChanges, type Change, type ChangeKind, type ChangeRange } from './read-changes.js';

type ChangesQuery = Input<typeof listChanges>['query'];
type ChangesResult = Result<typeof listChanges>;
type Client = Pick<Database['client'], 'generation'>;

/**
 * A page of the changes that a run made in a table. Without a run it uses the latest load.
 * @throws ApiError `not_found` if the run has changed nothing in the table
 */
export async function findChanges(
  { client, reader }: { client: Client; reader: LiveReader },
  shape: LiveShape,
  query: ChangesQuery,
  user: string,
): Promise<ChangesResult> {
  const generations = await findGenerations(client, shape.id, query.run);
  const kinds = CHANGE_KINDS.filter((kind) => query.kind === undefined || query.kind === kind);
  const all = kinds.flatMap((kind) =>
    generations
      .filter((generation) => generation[COUNT_FIELDS[kind]] > 0n)
      .map(({ number }) => ({ kind, generation: number, after: 0n })),
  );
  const remaining = query.cursor === undefined ? all : resumeAt(all, query.cursor);
  const { changes, next } = await reader.read(user, [shape], async (session, [current = shape]) => {
    const page: Change[] = [];
    for (const range of remaining) {
      const { changes, hasMore } = await readChanges(session, current, range, query.page_size - page.length);
      page.push(...changes);
      const last = changes.at(-1)?.row ?? range.after;
      if (hasMore) return { changes: page, next: { ...range, after: BigInt(last) } };
    }
    return { changes: page, next: null };
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

/** A run has one generation for each of its outputs that the table reads. */
async function findGenerations(client: Client, datasetId: string, run: string | undefined): Promise<Generation[]> {
  const orderBy = { number: 'asc' } as const;
  if (run !== undefined) {
    const runId = /^\d{1,18}$/.test(run) ? BigInt(run) : null;
    const found = runId === null ? [] : await client.generation.findMany({ where: { datasetId, runId }, orderBy });
    if (found.length === 0) {
      throw new ApiError('not_found', `Live Table ${datasetId} has no changes of run ${run}.`);
    }
    return found;
  }
  const last = await client.generation.findFirst({ where: { datasetId }, orderBy: { number: 'desc' } });
  if (!last?.runId) return last ? [last] : [];
  return client.generation.findMany({ where: { datasetId, runId: last.runId }, orderBy });
}

const COUNT_FIELDS = { new: 'created', changed: 'changed', gone: 'gone' } as const;

const sum = (generations: Generation[], kind: ChangeKind): number =>
  Number(generations.reduce((total, generation) => total + generation[COUNT_FIELDS[kind]], 0n));

const encode = ({ kind, generation, after }: ChangeRange): string => `${kind}.${generation}.${after}`;

/** The ranges after a cursor. @throws ValidationError if the cursor does not belong to these changes */
function resumeAt(all: ChangeRange[], cursor: string): ChangeRange[] {
  const [, kind, generation, after] = /^(\w+)\.(\d{1,18})\.(\d{1,18})$/.exec(cursor) ?? [];
  const at = all.findIndex((range) => range.kind === kind && String(range.generation) === generation);
  const range = all[at];
  if (!range)
    throw new ValidationError({
      'query.cursor': 'must be a cursor from a page of the same changes; without it, the first page is returned',
    });
  return [{ ...range, after: BigInt(after ?? 0) }, ...all.slice(at + 1)];
}
