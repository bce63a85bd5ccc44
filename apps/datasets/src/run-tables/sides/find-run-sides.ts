import type { Database } from '@millrace/persistence/database';
import type { Generation, Load } from '@millrace/persistence/generated/client';
import { isUnfinished } from '../../ingest/loads/load-transitions.js';
import { ABSENT_SIDE, type LoadedPart, type RunLoadState, type RunSide, type UnknownRowsReason } from './run-side.js';

type Client = Pick<Database['client'], 'load' | 'generation' | '$queryRaw'>;

/** Finds what runs have loaded into tables. @returns a function from table and run to the side */
export async function findRunSides(
  client: Client,
  datasets: readonly string[],
  runs: readonly bigint[],
): Promise<(dataset: string, run: bigint) => RunSide> {
  const where = { datasetId: { in: [...datasets] }, runId: { in: [...runs] } };
  const [loads, generations] = await Promise.all([
    client.load.findMany({ where, orderBy: [{ revision: 'asc' }, { id: 'asc' }] }),
    client.generation.findMany({ where, orderBy: { number: 'asc' } }),
  ]);
  const rejected = await countRejected(client, loads);
  const loadsOf = Map.groupBy(loads, toKey);
  const generationsOf = Map.groupBy(generations, toKey);
  return (datasetId, runId) => {
    const key = toKey({ datasetId, runId });
    return toSide(loadsOf.get(key) ?? [], generationsOf.get(key) ?? [], rejected);
  };
}

const toKey = ({ datasetId, runId }: Pick<Load, 'datasetId' | 'runId'>): string => `${datasetId} ${runId}`;

/** Rejected rows by load. */
async function countRejected(client: Client, loads: readonly Load[]): Promise<ReadonlyMap<bigint, number>> {
  const ids = loads.map(({ id }) => id);
  const rows = await client.$queryRaw<{ load: bigint; rejected: bigint }[]>`
    SELECT load_id AS load, sum(rejected)::bigint AS rejected FROM datasets.load_part
    WHERE load_id = ANY(${ids}::bigint[]) GROUP BY load_id`;
  return new Map(rows.map(({ load, rejected }) => [load, Number(rejected)]));
}

/** @param loads and `generations`: of one run and table, in the order of revisions */
function toSide(
  loads: readonly Load[],
  generations: readonly Generation[],
  rejected: ReadonlyMap<bigint, number>,
): RunSide {
  if (loads.length === 0) return ABSENT_SIDE;
  const outputs = [...Map.groupBy(loads, ({ node, outputName }) => JSON.stringify([node, outputName])).values()];
  const last = outputs.flatMap((revisions) => revisions.slice(-1));
  const bySource = new Map(generations.map((generation) => [generation.source, generation]));
  const ordered = [...bySource.values()].sort((one, other) => Number(positionOf(other) - positionOf(one)));
  return {
    load: findState(last),
    rejected: last.reduce((sum, { id }) => sum + (rejected.get(id) ?? 0), 0),
    parts: ordered.map(({ number, columns }): LoadedPart => ({ generation: number, columns })),
    problem: findProblem(outputs, last, generations),
  };
}

const positionOf = ({ position, loadId }: Generation): bigint => position ?? loadId ?? 0n;

function findState(last: readonly Load[]): RunLoadState {
  if (last.some(({ status }) => isUnfinished(status))) return 'unfinished';
  if (last.some(({ status }) => status === 'FAILED')) return 'failed';
  return last.some(({ partial }) => partial) ? 'partial' : 'complete';
}

function findProblem(
  outputs: readonly Load[][],
  last: readonly Load[],
  generations: readonly Generation[],
): UnknownRowsReason | null {
  if (last.some(({ status }) => isUnfinished(status))) return 'unfinished';
  const numbers = new Set(generations.map(({ number }) => number));
  // Clearing a table deletes its generations. A load without outputs never had one.
  const merged = outputs.flatMap((revisions) => revisions.filter(({ generation }) => generation !== null).slice(-1));
  return merged.some(({ generation }) => generation !== null && !numbers.has(generation)) ? 'cleared' : null;
}
