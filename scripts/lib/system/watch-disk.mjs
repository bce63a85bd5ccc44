import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_INTERVAL_MS = 1_000;
const MIB = 1024 * 1024;
/** With less free space, writes of nats-server fail. */
const MIN_FREE_BYTES = MIB;
/** With this much free space, they succeed for a while. */
const RECOVERED_FREE_BYTES = 16 * MIB;
/** The same for files that it creates. */
const [MIN_FREE_INODES, RECOVERED_FREE_INODES] = [10, 100];

/**
 * Restarts the system's own NATS after its disk was full: after a write has failed for lack of space, the streams of
 * nats-server do not respond until it restarts (observed with 2.9.10). The other servers and the services recover on their own.
 * @param {{ layout: import('../layout.mjs').Layout, supervisor: import('../process/supervisor.mjs').Supervisor, report: import('../report.mjs').Report, signal: AbortSignal }} context
 */
export async function watchDisk({ layout, supervisor, report, signal }) {
  for (let wasFull = false; !signal.aborted;) {
    await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    const stats = await statfs(layout.dir).catch(() => undefined);
    if (!stats || signal.aborted) continue;
    const free = stats.bavail * stats.bsize;
    // A file system that makes inodes as needed has none in total.
    const freeInodes = stats.files === 0 ? Infinity : stats.ffree;
    if (!wasFull && (free < MIN_FREE_BYTES || freeInodes < MIN_FREE_INODES)) {
      wasFull = true;
      report(`  the disk of ${layout.dir} is full`);
    }
    if (wasFull && free >= RECOVERED_FREE_BYTES && freeInodes >= RECOVERED_FREE_INODES) {
      wasFull = false;
      report(`  the disk of ${layout.dir} has free space again; restarting nats`);
      await supervisor.get('nats')?.restart();
    }
  }
}
