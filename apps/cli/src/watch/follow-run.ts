import { setTimeout as sleep } from 'node:timers/promises';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Run, Subjob } from '@millrace/sdk/records';
import { runs, subjobs } from '@millrace/sdk/resources';
import type { Presenter } from './presenter.js';
import { RunView } from './run-view.js';

/** Nodes are listed anew at most that often. */
const REFRESH_MS = 300;

/** Shows a run until it has ended; gives it as it is then. */
export async function followRun(client: MillraceClient, run: Run, presenter: Presenter): Promise<Run> {
  const view = new RunView(run);
  let refreshing: Promise<void> | null = null;
  const refresh = async () => {
    view.refresh(await listNodes(client, run.id));
    presenter.update(view);
    await sleep(REFRESH_MS);
  };
  try {
    await refresh();
    for await (const event of client.events(run.id)) {
      if (event.type === 'end') break;
      const stale = view.apply(event.change);
      presenter.update(view);
      // A list that fails is asked for again at the next change; the end of the run asks in any case.
      if (stale) {
        refreshing ??= refresh()
          .catch(() => undefined)
          .finally(() => (refreshing = null));
      }
    }
    await refreshing;
    const ended = await client.call(runs.getRun, { params: { id: run.id } });
    view.refresh(await listNodes(client, run.id));
    view.status = ended.status;
    return ended;
  } finally {
    presenter.end(view);
  }
}

async function listNodes(client: MillraceClient, run: string): Promise<Subjob[]> {
  const nodes: Subjob[] = [];
  for await (const node of client.each(subjobs.listSubjobs, { params: { id: run } })) nodes.push(node);
  return nodes;
}
