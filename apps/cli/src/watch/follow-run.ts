import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalRun, type MillraceClient, type Run, type Subjob } from '@millrace/client';
import { RunView, type NodeList, type Retry } from './run-view.js';

/** Minimum time between two requests for the list of the nodes. */
const REFRESH_INTERVAL_MS = 300;

/** Shows a run until it has ended, and returns the ended run. */
export async function followRun(client: MillraceClient, run: Run, presenter: Presenter): Promise<Run> {
  const view = new RunView(run);
  let isStale = false;
  let refreshing: Promise<void> | null = null;
  const refresh = async () => {
    // Set before the request, because a change during the request requires another list.
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
    // All events of a run that has ended are before the list.
    const events = isFinalRun(run.status) ? [] : client.runs.events(run.id);
    for await (const event of events) {
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
    const ended = await client.runs.get(run.id);
    view.refresh(await listNodes(client, run.id, view));
    view.status = ended.status;
    return ended;
  } finally {
    presenter.end(view);
  }
}

/** Lists the nodes of a run, and the retries that are missing in the view. */
async function listNodes(client: MillraceClient, run: string, view: RunView): Promise<NodeList> {
  const { changeCount } = view;
  const subjobs: Subjob[] = [];
  for await (const subjob of client.subjobs.list(run)) subjobs.push(subjob);
  const retries = new Map<string, Retry[]>();
  for (const subjob of subjobs) {
    if (view.needsRetries(subjob)) retries.set(subjob.id, await fetchRetries(client, run, subjob.id));
  }
  return { subjobs, retries, changeCount };
}

async function fetchRetries(client: MillraceClient, run: string, id: string): Promise<Retry[]> {
  const { attempts } = await client.subjobs.get(run, id);
  return attempts.slice(0, -1).map(({ attempt, status, message }) => ({
    ...{ attempt, isLost: status === 'LOST', message: message ?? null },
  }));
}

/** Shows the progress of a run. */
export interface Presenter {
  /** Called for every change of the view. */
  update(view: RunView): void;
  /** Called when the run has ended or is no longer followed. */
  end(view: RunView): void;
  /** Shows no progress until `resume`, while the user answers a question. */
  pause(): void;
  resume(): void;
  /** Prints a line in addition to the progress. */
  note(line: string): void;
}
