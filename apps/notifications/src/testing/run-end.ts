import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { runFinished } from '@millrace/contracts/runs/runs';
import { newId } from '@millrace/persistence/ids';

type RunEnd = Payload<typeof runFinished>;

/** The event of a completed run that `author` started by hand, with `changes`. */
export const runEnd = (author: Pick<Caller, 'user' | 'vault'>, changes: Partial<RunEnd> = {}): RunEnd => ({
  run: '42',
  name: 'nightly scan',
  vault: author.vault,
  space: newId(),
  workflow: newId(),
  workflowName: 'Port scan',
  author: author.user,
  creationType: 'MANUAL',
  status: 'COMPLETED',
  durationMs: 65_000,
  error: null,
  finishedAt: new Date().toISOString(),
  ...changes,
});
