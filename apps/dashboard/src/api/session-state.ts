import { createStore } from '../store/create-store.js';

/** Whether the session of this page has ended while it is open. The page stays, and asks its user to sign in again. */
export const sessionEnded = createStore(false);

/** Whether the user signs in again although the session continues, for an operation that accepts no older sign-in. */
export const isSigningInAgain = createStore(false);

export const reportEndedSession = (): void => sessionEnded.set(true);

/** What the tabs of one browser report to each other. */
type SessionMessage = { type: 'signed-in'; user: string } | { type: 'signed-out' };

const channel = new BroadcastChannel('millrace.session');

export const announceSession = (message: SessionMessage): void => channel.postMessage(message);

/** Calls `handle` for each sign-in and sign-out in another tab. @returns ends this */
export function followSession(handle: (message: SessionMessage) => void): () => void {
  const listener = ({ data }: MessageEvent<SessionMessage>) => handle(data);
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
