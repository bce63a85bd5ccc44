import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Redis } from 'ioredis';
import { eventually } from '@millrace/testkit/eventually';
import { redisOptions } from '../../support/own-system.js';
import type { Matrix } from '../matrix/start-matrix.js';

/** Deletes all queues, with the dispatches and jobs in them. */
export async function flushRedis({ system }: Matrix): Promise<void> {
  const redis = new Redis({ ...redisOptions(system.folder), host: '127.0.0.1' });
  try {
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}

/** Deletes all streams and consumers of NATS, as the loss of its disk does. The supervisor must not restart it in between. */
export async function removeJetstream({ system }: Matrix): Promise<void> {
  const pid = system.pidOf('nats');
  process.kill(system.supervisor, 'SIGSTOP');
  try {
    process.kill(pid, 'SIGKILL');
    rmSync(join(system.folder, 'nats', 'jetstream'), { recursive: true, force: true });
  } finally {
    process.kill(system.supervisor, 'SIGCONT');
  }
  await eventually(() => expect(system.pidOf('nats')).not.toBe(pid), { withinMs: 60_000 });
}
