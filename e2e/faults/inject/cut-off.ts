import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../cases/fault-case.js';
import type { ReachedEdge } from '../edges/reach-edge.js';

/** Cuts the worker that runs the steps off from servers for some time. */
export async function cutOff(
  { from, seconds }: { from: readonly Server[]; seconds: number },
  edge: ReachedEdge,
): Promise<void> {
  const { nats, redis } = edge.matrix.linked;
  const links = [...(from.includes('nats') ? [nats] : []), ...(from.includes('redis') ? [redis] : [])];
  for (const link of links) link.cut();
  try {
    await edge.pass();
    await sleep(seconds * 1_000);
  } finally {
    for (const link of links) link.restore();
  }
}
