import { setTimeout as sleep } from 'node:timers/promises';
import type { ReachedEdge } from '../edges/reach-edge.js';

/** A worker sends a message with reports again after 10 s without a response. */
const LATE_MS = 13_000;

/**
 * Delivers the reports of the worker that runs the steps in another way than it sends them, from the edge on.
 * `duplicated`: each message twice. `late`: after the worker has sent it again. `reordered`: the newest first, each twice.
 */
export async function misdeliverReports(how: 'duplicated' | 'late' | 'reordered', edge: ReachedEdge): Promise<void> {
  const { nats } = edge.matrix.linked;
  nats.rule = how === 'duplicated' ? 'twice' : 'hold';
  try {
    await edge.pass();
    if (how === 'duplicated') await edge.runEnded();
    else await sleep(LATE_MS);
  } finally {
    nats.rule = 'pass';
    nats.release(how === 'reordered' ? 'last to first' : 'first to last', how === 'late' ? 1 : 2);
  }
}
