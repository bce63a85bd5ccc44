import type { CallOptions } from './call-input.js';
import type { CoreClient } from './core.js';
import { sandboxes } from './generated/operations.js';
import type { SandboxesExecBody, SandboxExit } from './generated/types.js';
import { openStream } from './open-stream.js';
import { readFrames } from './read-frames.js';

/** What a command in a sandbox prints, and its end, which is the last event. */
export type ExecEvent = { type: 'stdout' | 'stderr'; text: string } | { type: 'exit'; exit: SandboxExit };

/** The server writes a comment every 15 seconds while the command prints nothing. */
const SILENCE_TIMEOUT_MS = 60_000;

/** Runs a command. It ends if the caller stops reading or the connection is lost, so it is not started again. */
export async function* execInSandbox(
  client: CoreClient,
  input: SandboxesExecBody,
  options: CallOptions = {},
): AsyncGenerator<ExecEvent, void> {
  const request = { body: input, ...options };
  const { chunks } = await openStream(client, sandboxes.exec, request, {
    type: 'text/event-stream',
    silenceTimeoutMs: SILENCE_TIMEOUT_MS,
  });
  for await (const { event, data } of readFrames(chunks)) {
    if (event === 'exit') yield { type: event, exit: JSON.parse(data) as SandboxExit };
    if (event === 'stdout' || event === 'stderr') yield { type: event, ...(JSON.parse(data) as { text: string }) };
  }
}
