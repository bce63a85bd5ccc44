import { reuseRecords } from '../document/reuse-records.js';
import { changesSince } from './changed-records.js';
import type { EditorSession, SessionState, Step } from './editor-session.js';

/** What the tabs of one user on one workflow report to each other. `revision` counts the steps. */
type TabMessage = { tab: string; revision: number } & (
  | { type: 'opened'; version: number; isChanged: boolean }
  | { type: 'request' }
  | { type: 'step'; step: Step }
  | { type: 'state'; state: SessionState }
);

/** A `BroadcastChannel`, which browsers have on plain HTTP too. */
export type TabChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>;

/**
 * Keeps a session in step with the other tabs of its user: all show the same document with the same history, and store the same
 * draft. A tab that opens gets the state of the others. If two tabs make a step at the same moment, both steps are applied, and then
 * one tab's state replaces the other's, so that they are equal again.
 * @returns what ends it
 */
export function shareEdits(session: EditorSession, channel: TabChannel, tab: string): () => void {
  let revision = 0;
  const publish = (message: { type: TabMessage['type'] } & Record<string, unknown>) =>
    channel.postMessage({ ...message, tab, revision });
  const isChanged = () => changesSince(session.base.get().document, session.document.get()).length > 0;
  const announce = () => publish({ type: 'opened', version: session.base.get().number ?? 0, isChanged: isChanged() });
  const publishState = () => {
    revision++;
    const [base, document, history] = [session.base.get(), session.document.get(), session.history.get()];
    publish({ type: 'state', state: { base, document, history } satisfies SessionState });
  };
  const receive = (message: TabMessage) => {
    switch (message.type) {
      case 'opened': {
        revision = Math.max(revision, message.revision);
        const isBehind = !isChanged() && (message.isChanged || message.version > (session.base.get().number ?? 0));
        return isBehind ? publish({ type: 'request' }) : publishState();
      }
      case 'request':
        return publishState();
      case 'step': {
        const isNext = message.revision === revision + 1;
        revision = Math.max(revision, message.revision);
        session.repeat(withOwnRecords(session, message.step));
        return isNext ? undefined : publishState();
      }
      case 'state': {
        const { state } = message;
        if (message.revision < revision || (message.revision === revision && message.tab < tab)) return;
        ({ revision } = message);
        const document = reuseRecords(state.document, session.document.get());
        return session.adopt({ ...state, document, base: reuseBase(state.base, document) });
      }
    }
  };
  const onMessage = ({ data }: MessageEvent<TabMessage>) => data.tab !== tab && receive(data);
  channel.addEventListener('message', onMessage as (event: Event) => void);
  session.onStep = (step) => {
    revision++;
    publish({ type: 'step', step });
  };
  announce();
  return () => {
    session.onStep = undefined;
    channel.close();
  };
}

const reuseBase = (base: SessionState['base'], document: SessionState['document']): SessionState['base'] => ({
  ...base,
  document: reuseRecords(base.document, document),
});

const withOwnRecords = (session: EditorSession, step: Step): Step =>
  step.kind === 'base' ? { ...step, base: reuseBase(step.base, session.document.get()) } : step;
