import type { EditorSession } from './editor-session.js';
import { shareEdits } from './share-edits.js';

/** Shares the edits with the other tabs of this browser that have the same draft. @returns what ends it */
export function shareWithTabs(session: EditorSession, draft: string): () => void {
  const name = `millrace.draft.${draft}`;
  // A random id, because only one of the two tabs may win if both have made a step at the same moment.
  let end = shareEdits(session, new BroadcastChannel(name), String(Math.random()));
  // A page that the browser kept for Back has missed the steps of the meantime.
  const resume = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    end();
    end = shareEdits(session, new BroadcastChannel(name), String(Math.random()));
  };
  addEventListener('pageshow', resume);
  return () => {
    removeEventListener('pageshow', resume);
    end();
  };
}
