import { createStore, type Store } from '../../../store/create-store.js';
import { writeData } from '../document/document.js';
import { changesSince } from './changed-records.js';
import { deleteDraft, writeDraft } from './draft-storage.js';
import type { EditorSession } from './editor-session.js';

export type DraftState = 'unchanged' | 'writing' | 'stored' | 'failed';

/** After this pause in the edits the draft is stored. */
const PAUSE_MS = 400;

/** Stores the edits of a session in this browser as they are made. `start` returns what ends it, after a last write. */
export function keepDraft(session: EditorSession, key: string): { state: Store<DraftState>; start: () => () => void } {
  const isChanged = () => changesSince(session.base.get().document, session.document.get()).length > 0;
  const state = createStore<DraftState>(isChanged() ? 'stored' : 'unchanged');
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = async () => {
    timer = undefined;
    const { versionId } = session.base.get();
    const document = session.document.get();
    try {
      if (!isChanged()) {
        await deleteDraft(key);
        state.set('unchanged');
        return;
      }
      await writeDraft(key, {
        ...(versionId !== undefined && { baseVersion: versionId }),
        data: writeData(document),
        savedAt: new Date().toISOString(),
      });
      if (session.document.get() === document) state.set('stored');
    } catch {
      state.set('failed');
    }
  };
  const schedule = () => {
    state.set('writing');
    clearTimeout(timer);
    timer = setTimeout(() => void write(), PAUSE_MS);
  };
  const flush = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    void write();
  };
  const start = () => {
    const subscriptions = [session.document.subscribe(schedule), session.base.subscribe(schedule)];
    addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', flush);
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
      removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', flush);
      flush();
    };
  };
  return { state, start };
}
