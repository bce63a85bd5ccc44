import type { getRow } from '@millrace/contracts/datasets/rows';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Database } from '@millrace/persistence/database';
import type { Generation } from '@millrace/persistence/generated/client';
import type { RowHistory } from './read-row.js';

type Origins = Omit<Result<typeof getRow>, 'row'>;
type Origin = Origins['first_seen'];
type Client = Pick<Database['client'], 'generation' | 'loadPart'>;

/** What made a row what it is: run, node, version of the workflow and, of what it holds now, subjob and output. */
export async function findOrigins(client: Client, datasetId: string, history: RowHistory): Promise<Origins> {
  const { first, changed, seen, gone } = history;
  const numbers = [first, changed, seen, gone].filter((number) => number !== null);
  const found = await client.generation.findMany({ where: { datasetId, number: { in: numbers } } });
  const known = new Map(found.map((generation) => [generation.number, generation]));
  const origin = (number: bigint): Origin => toOrigin(number, known.get(number));
  const contents = await findContents(client, known.get(changed ?? first), history.subjob);
  return {
    first_seen: { ...origin(first), ...(changed === null && contents) },
    ...(changed !== null && { last_changed: { ...origin(changed), ...contents } }),
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

async function findContents(
  client: Client,
  generation: Generation | undefined,
  subjobId: bigint | null,
): Promise<Pick<Origin, 'subjob' | 'output'>> {
  if (!generation?.loadId || subjobId === null) return {};
  const parts = await client.loadPart.findMany({ where: { loadId: generation.loadId, subjobId }, take: 2 });
  const [part] = parts;
  // A subjob may have given several files of one name; which of them it was is not kept.
  const isCertain = parts.length === 1 && part?.outputId;
  return { subjob: String(subjobId), ...(isCertain && { output: part.outputId ?? '' }) };
}
