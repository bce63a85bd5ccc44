import { client } from '../../../api/client.js';
import { connection } from '../../../api/connection.js';
import { queryClient } from '../../../api/query-client.js';
import { createStore, type Store } from '../../../store/create-store.js';
import { writeData } from '../document/document.js';
import type { EditorSession } from '../session/editor-session.js';
import { NO_PROBLEMS, type Problems, readProblems } from './problems.js';

export type Validation = { state: 'checking' | 'checked' | 'failed'; problems: Problems };

const PAUSE_MS = 500;
/** A large workflow is megabytes of JSON, which is not sent after each pause. */
const LARGE_PAUSE_MS = 2_500;
const LARGE_NODES = 500;

/** Each check has its own key: an editor that opens again must not share the aborted request of the former one. */
let count = 0;

/** Validates the document by the API after each pause in the edits. `start` returns what ends it. */
export function validateEdits(
  session: EditorSession,
  workflow: string,
): { validation: Store<Validation>; start: () => () => void } {
  const validation = createStore<Validation>({ state: 'checking', problems: NO_PROBLEMS });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | undefined;

  const check = async () => {
    request = new AbortController();
    const { signal } = request;
    try {
      // Through the query client, which reports a lost connection and an ended session.
      const response = await queryClient.fetchQuery({
        queryKey: ['editor', 'validate', workflow, ++count],
        queryFn: () => client.workflows.validate(workflow, { data: writeData(session.document.get()) }, { signal }),
        gcTime: 0,
      });
      if (!signal.aborted) validation.set({ state: 'checked', problems: readProblems(response) });
    } catch {
      if (!signal.aborted) validation.set({ ...validation.get(), state: 'failed' });
    }
  };
  const isLarge = () => Object.keys(session.document.get().nodes).length > LARGE_NODES;
  const schedule = () => {
    request?.abort();
    clearTimeout(timer);
    if (validation.get().state !== 'checking') validation.set({ ...validation.get(), state: 'checking' });
    timer = setTimeout(() => void (document.hidden ? undefined : check()), isLarge() ? LARGE_PAUSE_MS : PAUSE_MS);
  };
  // A hidden tab follows the edits of another one, which has them checked.
  const resume = () => !document.hidden && validation.get().state === 'checking' && schedule();
  const start = () => {
    document.addEventListener('visibilitychange', resume);
    const subscriptions = [
      session.document.subscribe(schedule),
      connection.subscribe(() => connection.get() === 'open' && schedule()),
    ];
    // To write a large workflow as JSON would delay its first picture.
    if (isLarge()) schedule();
    else void check();
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
      document.removeEventListener('visibilitychange', resume);
      clearTimeout(timer);
      request?.abort();
    };
  };
  return { validation, start };
}
