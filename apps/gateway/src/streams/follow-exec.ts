import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import { readExec, SANDBOX_LEASE_MS } from '@millrace/contracts/runs/sandbox-hosts';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

export type ExecEvent = { event: 'stdout' | 'stderr'; data: { text: string } } | { event: 'exit'; data: SandboxExit };

const WAIT_MS = 2_000;
const RETRY_MS = 200;

/**
 * What a command prints while it runs, then how it ended. Never more than one part is held, and the next is asked for when
 * this one has been taken. A worker that does not answer for as long as its lease is gone, and the command with it.
 */
export async function* followExec(
  rpc: RpcClient,
  instance: string,
  exec: string,
  envelope: Envelope,
  isClosed: () => boolean,
): AsyncGenerator<ExecEvent> {
  const begun = Date.now();
  const streams = { stdout: new Printed(), stderr: new Printed() };
  let heardAt = Date.now();
  while (!isClosed()) {
    const offsets = { stdout: streams.stdout.offset, stderr: streams.stderr.offset };
    const part = await rpc
      .call(readExec, { exec, ...offsets, waitMs: WAIT_MS }, envelope, { timeoutMs: WAIT_MS + 3_000, instance })
      .catch(() => null);
    if (part === null || !part.known) {
      if (part === null && Date.now() - heardAt < SANDBOX_LEASE_MS) await sleep(RETRY_MS);
      else return void (yield { event: 'exit', data: lost(begun) });
      continue;
    }
    for (const event of ['stdout', 'stderr'] as const) {
      const text = streams[event].take(part[event], part.exit !== undefined);
      if (text !== '') yield { event, data: { text } };
    }
    if (part.exit) return void (yield { event: 'exit', data: part.exit });
    heardAt = Date.now();
  }
}

/** A stream of bytes that may be cut anywhere, as text. */
class Printed {
  offset = 0;
  private readonly decoder = new TextDecoder();

  take(base64: string, isLast: boolean): string {
    const bytes = Buffer.from(base64, 'base64');
    this.offset += bytes.length;
    return this.decoder.decode(bytes, { stream: !isLast });
  }
}

const lost = (begun: number): SandboxExit => ({
  timed_out: false,
  truncated: false,
  saved: false,
  reason: 'the worker that ran it was lost, or does not know of it any more',
  duration_ms: Date.now() - begun,
});
