import type { getRow } from '@millrace/contracts/datasets/rows';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Database } from '@millrace/persistence/database';
import type { Generation } from '@millrace/persistence/generated/client';
import type { RowHistory } from './read-row.js';

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
