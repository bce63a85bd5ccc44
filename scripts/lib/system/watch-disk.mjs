import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 1_000;
const MIB = 1024 * 1024;
/** With less left, writes of nats-server fail. */
const FULL_BYTES = MIB;
/** With so much left again they succeed for a while. */
const ROOM_BYTES = 16 * MIB;

/**
 * Restarts our own NATS after its disk was full: once a write has failed for lack of space, the streams of nats-server do not
 * respond until it is restarted (seen with 2.9.10). The other servers and the services go on by themselves.
 * @param {{ layout: import('../layout.mjs').Layout, supervisor: import('../process/supervisor.mjs').Supervisor, report: import('../report.mjs').Report, signal: AbortSignal }} context
 */
export async function watchDisk({ layout, supervisor, report, signal }) {
  for (let wasFull = false; !signal.aborted;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    const stats = await statfs(layout.dir).catch(() => undefined);
    if (!stats || signal.aborted) continue;
    const free = stats.bavail * stats.bsize;
    if (!wasFull && free < FULL_BYTES) {
      wasFull = true;
      report(`  the disk of ${layout.dir} is full`);
    }
    if (wasFull && free >= ROOM_BYTES) {
      wasFull = false;
      report(`  the disk of ${layout.dir} has room again; restarting nats`);
      await supervisor.get('nats')?.restart();
    }
  }
}
