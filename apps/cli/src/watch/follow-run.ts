import { setTimeout as sleep } from 'node:timers/promises';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Run } from '@millrace/sdk/records';
import { runs } from '@millrace/sdk/resources';
import { listNodes } from './list-nodes.js';
import type { Presenter } from './presenter.js';
import { RunView } from './run-view.js';

/** The minimum time between two lists of the nodes. */
const REFRESH_INTERVAL_MS = 300;

/** Shows a run until it has ended; gives it as it is then. */
export async function followRun(client: MillraceClient, run: Run, presenter: Presenter): Promise<Run> {
  const view = new RunView(run);
  let isStale = false;
  let refreshing: Promise<void> | null = null;
  const refresh = async () => {
    // Before the request: a change that comes while it is under way needs another list.
    isStale = false;
    view.refresh(await listNodes(client, run.id, view));
    presenter.update(view);
    await sleep(REFRESH_INTERVAL_MS);
  };
  const refreshWhileStale = async () => {
    while (isStale) await refresh();
  };
  try {
    await refresh();
    for await (const event of client.events(run.id)) {
      if (event.type === 'end') break;
      if (view.apply(event.change)) isStale = true;
      presenter.update(view);
      // If a list fails, the next change requests it again; the end of the run does so in any case.
      if (isStale) {
        refreshing ??= refreshWhileStale()
          .catch(() => undefined)
          .finally(() => (refreshing = null));
      }
    }
    isStale = false;
    await refreshing;
    const ended = await client.call(runs.getRun, { params: { id: run.id } });
    view.refresh(await listNodes(client, run.id, view));
    view.status = ended.status;
    return ended;
  } finally {
    presenter.end(view);
  }
}
