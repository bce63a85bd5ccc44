/** A dispatch on which its worker will no longer report. */
export interface LostDispatch {
  dispatch: bigint;
  worker: string | null;
  /** Name of the worker's machine; null if it is no longer known. */
  host: string | null;
  /** Time of the worker's last heartbeat; null if it is no longer known. */
  lastSeen: Date | null;
  /** The worker sends no heartbeats, another one has taken its place, or its heartbeats do not list the dispatch. */
  cause: 'silent' | 'replaced' | 'missing';
}

/** What happened, as the first part of a sentence for users. */
export function describeLoss({ worker, host, lastSeen, cause }: LostDispatch): string {
  const names = [worker, host === null ? null : `host ${host}`].filter((part) => part !== null).join(', ');
  const subject = `The worker that ran this step${names === '' ? '' : ` (${names})`}`;
  if (cause === 'replaced') return `${subject} ended without notice and was started again`;
  if (cause === 'missing') return `${subject} no longer has it`;
  return `${subject} stopped sending heartbeats${lastSeen === null ? '' : ` at ${lastSeen.toISOString()}`}`;
}
