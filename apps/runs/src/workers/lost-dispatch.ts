/** A dispatch that its worker will say nothing more about. */
export interface Loss {
  dispatch: bigint;
  worker: string | null;
  /** Name of the worker's machine; null if it is no longer known. */
  host: string | null;
  /** When its last heartbeat came; null if that is no longer known. */
  lastSeen: Date | null;
  how: 'silent' | 'replaced' | 'missing';
}

/** What happened, as the beginning of a sentence for users. */
export function describeLoss({ worker, host, lastSeen, how }: Loss): string {
  const named = [worker, host === null ? null : `host ${host}`].filter((part) => part !== null).join(', ');
  const subject = `The worker that ran this step${named === '' ? '' : ` (${named})`}`;
  if (how === 'replaced') return `${subject} ended without notice and was started again`;
  if (how === 'missing') return `${subject} no longer has it`;
  return `${subject} stopped sending heartbeats${lastSeen === null ? '' : ` at ${lastSeen.toISOString()}`}`;
}
