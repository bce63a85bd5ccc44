import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import { readExec, SANDBOX_LEASE_MS } from '@millrace/contracts/runs/sandbox-hosts';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

export type ExecEvent = { event: 'stdout' | 'stderr'; data: { text: string } } | { event: 'exit'; data: SandboxExit };

const READ_WAIT_MS = 2_000;
const RETRY_INTERVAL_MS = 200;

/**
 * Yields the output of a command while it runs, then how it ended. At most one part is in memory: the next is fetched after
 * the consumer has taken this one. A worker that does not respond for the length of its lease is lost, with the command.
 */
export async function* followExec(
  rpc: RpcClient,
  instance: string,
  exec: string,
  envelope: Envelope,
  isClosed: () => boolean,
): AsyncGenerator<ExecEvent> {
  const startedAt = Date.now();
  const streams = { stdout: new OutputDecoder(), stderr: new OutputDecoder() };
  let lastResponseAt = Date.now();
  while (!isClosed()) {
    const offsets = { stdout: streams.stdout.offset, stderr: streams.stderr.offset };
    const part = await rpc
      .call(readExec, { exec, ...offsets, waitMs: READ_WAIT_MS }, envelope, {
        timeoutMs: READ_WAIT_MS + 3_000,
        instance,
      })
      .catch(() => null);
    if (part === null || !part.known) {
      if (part === null && Date.now() - lastResponseAt < SANDBOX_LEASE_MS) await sleep(RETRY_INTERVAL_MS);
      else return void (yield { event: 'exit', data: lostExit(startedAt) });
      continue;
    }
    for (const event of ['stdout', 'stderr'] as const) {
      const text = streams[event].decode(part[event], part.exit !== undefined);
      if (text !== '') yield { event, data: { text } };
    }
    if (part.exit) return void (yield { event: 'exit', data: part.exit });
    lastResponseAt = Date.now();
  }
}

/** Decodes a stream of bytes that may be cut anywhere, even inside a character. */
class OutputDecoder {
  offset = 0;
  private readonly decoder = new TextDecoder();

  decode(base64: string, isLast: boolean): string {
    const bytes = Buffer.from(base64, 'base64');
    this.offset += bytes.length;
    return this.decoder.decode(bytes, { stream: !isLast });
  }
}

const lostExit = (startedAt: number): SandboxExit => ({
  timed_out: false,
  truncated: false,
  saved: false,
  reason: 'the worker that ran the command was lost or no longer has its record',
  duration_ms: Date.now() - startedAt,
});
