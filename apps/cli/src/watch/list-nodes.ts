import type { MillraceClient } from '@millrace/sdk/client';
import type { Subjob } from '@millrace/sdk/records';
import { subjobs as operations } from '@millrace/sdk/resources';
import type { NodeList, Retry, RunView } from './run-view.js';

/** Lists the nodes of a run, with the retries that the view does not have yet. */
export async function listNodes(client: MillraceClient, run: string, view: RunView): Promise<NodeList> {
  const { changeCount } = view;
  const subjobs: Subjob[] = [];
  for await (const subjob of client.each(operations.listSubjobs, { params: { id: run } })) subjobs.push(subjob);
  const retries = new Map<string, Retry[]>();
  for (const subjob of subjobs) {
    if (view.needsRetries(subjob)) retries.set(subjob.id, await fetchRetries(client, run, subjob.id));
  }
  return { subjobs, retries, changeCount };
}

async function fetchRetries(client: MillraceClient, run: string, id: string): Promise<Retry[]> {
  const { attempts } = await client.call(operations.getSubjob, { params: { id: run, subjobId: id } });
  return attempts.slice(0, -1).map(({ attempt, status, message }) => ({
    ...{ attempt, isLost: status === 'LOST', message: message ?? null },
  }));
}
