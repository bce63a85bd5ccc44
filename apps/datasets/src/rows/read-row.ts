import type { getRow } from '@millrace/contracts/datasets/rows';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Database } from '@millrace/persistence/database';
import type { Generation } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import type { Condition } from '@millrace/query/fields/condition';
import type { Field } from '@millrace/query/fields/field';
import { toTableRef, type LiveShape } from '../reading/live-shape.js';
import { readPage, toRows } from '../reading/read-page.js';
import type { ReadSession } from '../reading/read-session.js';

/** The generations of a row, in milliseconds since the epoch. */
interface RowHistory {
  first: bigint;
  changed: bigint | null;
  seen: bigint;
  gone: bigint | null;
  /** Subjob that the current values come from. */
  subjob: bigint | null;
}

/** Reads a row and its generations; null if no row has the number. */
export async function readRow(
  session: ReadSession,
  shape: LiveShape,
  row: string,
): Promise<{ row: object; history: RowHistory } | null> {
  const fields = shape.columns.map((column) => ({ name: column.name, column }));
  const history = ['_f', '_c', shape.lastSeenSql, '_g', '_j'].map(numberField);
  const condition: Condition = {
    kind: 'test',
    field: numberField('_id'),
    test: '=',
    values: [{ type: 'bigint', text: String(toNumericId(row)) }],
    negated: false,
  };
  const page = { ...toTableRef(shape), fields: [...fields, ...history], condition, order: [], after: null, limit: 1 };
  const [values] = (await readPage(session, page)).rows;
  if (!values) return null;
  const [first, changed, seen, gone, subjob] = values
    .slice(fields.length)
    .map((digits) => (digits ? BigInt(digits) : null));
  return {
    row: toRows(fields, [values])[0] ?? {},
    history: {
      first: first ?? 0n,
      changed: changed ?? null,
      seen: seen ?? first ?? 0n,
      gone: gone ?? null,
      subjob: subjob ?? null,
    },
  };
}

const numberField = (sql: string): Field => ({ name: sql, column: { name: sql, type: 'bigint', sql } });

type Origins = Omit<Result<typeof getRow>, 'row'>;
type Origin = Origins['first_seen'];
type Client = Pick<Database['client'], 'generation' | 'loadPart'>;

/** Where a row comes from: run, node and workflow version, and for its current values also subjob and output. */
export async function findOrigins(client: Client, datasetId: string, history: RowHistory): Promise<Origins> {
  const { first, changed, seen, gone } = history;
  const numbers = [first, changed, seen, gone].filter((number) => number !== null);
  const generations = await client.generation.findMany({ where: { datasetId, number: { in: numbers } } });
  const byNumber = new Map(generations.map((generation) => [generation.number, generation]));
  const origin = (number: bigint): Origin => toOrigin(number, byNumber.get(number));
  const valueOrigin = await findValueOrigin(client, byNumber.get(changed ?? first), history.subjob);
  return {
    first_seen: { ...origin(first), ...(changed === null && valueOrigin) },
    ...(changed !== null && { last_changed: { ...origin(changed), ...valueOrigin } }),
    last_seen: origin(seen),
    ...(gone !== null && { gone: origin(gone) }),
  };
}

function toOrigin(number: bigint, generation: Generation | undefined): Origin {
  const { runId, workflowId, versionId, node, loadId } = generation ?? {};
  return {
    at: new Date(Number(number)).toISOString(),
    ...(runId && { run: String(runId) }),
    ...(workflowId && { workflow: workflowId }),
    ...(versionId && { version: versionId }),
    ...(node && { node }),
    ...(loadId && { load: String(loadId) }),
  };
}

async function findValueOrigin(
  client: Client,
  generation: Generation | undefined,
  subjobId: bigint | null,
): Promise<Pick<Origin, 'subjob' | 'output'>> {
  if (!generation?.loadId || subjobId === null) return {};
  const parts = await client.loadPart.findMany({ where: { loadId: generation.loadId, subjobId }, take: 2 });
  const [part] = parts;
  // A subjob may have written several files with the same output name. The row does not record which one it is from.
  const isCertain = parts.length === 1 && part?.outputId;
  return { subjob: String(subjobId), ...(isCertain && { output: part.outputId ?? '' }) };
}
