import type { CallOptions, LooseInput } from './call-input.js';
import { sandboxes } from './generated/operations.js';
import type { SandboxesExecBody, SandboxExit } from './generated/types.js';
import { iterateStream } from './iterate-stream.js';
import type { Operation } from './operation.js';
import { readFrames } from './read-frames.js';

/** What a command in a sandbox prints, and its end, which is the last event. */
export type ExecEvent = { type: 'stdout' | 'stderr'; text: string } | { type: 'exit'; exit: SandboxExit };

type Send = (operation: Operation, input: LooseInput, headers: Record<string, string>) => Promise<Response>;

/** The server writes a comment every 15 seconds while the command prints nothing. */
const SILENCE_TIMEOUT_MS = 60_000;

/** Runs a command. It ends if the caller stops reading or the connection is lost, so it is not started again. */
export async function* execInSandbox(
  send: Send,
  input: SandboxesExecBody,
  options: CallOptions = {},
): AsyncGenerator<ExecEvent, void> {
  const { body } = await send(sandboxes.exec, { body: input, ...options }, { accept: 'text/event-stream' });
  if (body === null) return;
  for await (const { event, data } of readFrames(iterateStream(body, SILENCE_TIMEOUT_MS))) {
    if (event === 'exit') yield { type: event, exit: JSON.parse(data) as SandboxExit };
    if (event === 'stdout' || event === 'stderr') yield { type: event, ...(JSON.parse(data) as { text: string }) };
  }
}
