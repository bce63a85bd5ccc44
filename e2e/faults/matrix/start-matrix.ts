import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { MillraceClient } from '@millrace/client';
import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import { users } from '@millrace/contracts/resources';
import { Database } from '@millrace/persistence/database';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from '../../support/checked-fetch.js';
import { makeTable } from '../../support/live-table.js';
import { redisOptions, startOwnSystem, type OwnSystem } from '../../support/own-system.js';
import { receiveWebhooks, type Receiver } from '../../support/receive-webhooks.js';
import { enableAllNotifications } from '../../support/run-effects.js';
import { startSecondCopy, type SecondCopy } from '../../support/second-copies.js';
import { signUp, type Account } from '../../support/sign-up.js';
import type { ProcessName } from '../cases/fault-case.js';
import { installGates } from '../edges/install-gates.js';
import { startLink, type Link } from '../links/link.js';
import { startReportLink, type ReportLink } from '../links/report-link.js';

/** The fleet of the worker whose links to NATS and Redis a test can interrupt. */
export const LINKED_FLEET = 'linked';

/** How the clock of a worker differs from that of the machine. */
export type ShiftedClock = 'ahead' | 'behind';
const SHIFT_MS: Record<ShiftedClock, number> = { ahead: 3_600_000, behind: -3_600_000 };

/** A system with two copies of every service, and a third worker behind links. */
export interface Matrix {
  system: OwnSystem;
  account: Account;
  receiver: Receiver;
  /** As the owner of all tables. */
  database: Database;
  /** The Live Table that all runs are loaded into. */
  table: string;
  /** The second copy of each service. */
  copies: ReadonlyMap<ServiceName, SecondCopy>;
  linked: { worker: SecondCopy; nats: ReportLink; redis: Link };
  /** Process ids of all copies of a service, or of a server. */
  pidsOf(process: ProcessName): number[];
  /** Ids of all processes that were one of a service, as far as the test has seen them. */
  formerPids(): ReadonlySet<number>;
  /** Objects that were found intact. They never change. */
  intactObjects: Set<string>;
  /** Starts a worker whose clock is an hour ahead or behind, in the fleet of that name, unless it runs. */
  startShifted(direction: ShiftedClock): Promise<void>;
  /** Starts the copies again that have ended, and waits until the whole system is ready. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = {
  EGRESS_ALLOW: '127.0.0.1',
  CONTENT_GRACE_SECONDS: '60',
  WORKER_SLOTS: '2',
  SANDBOX_SLOTS: '0',
  WORKER_DRAIN_SECONDS: '5',
  // Without these, hundreds of cases write gigabytes.
  LOG_LEVEL: 'debug',
};

/** Small enough to be filled in a second. */
const DISKS = {
  data: { size: '1g', inodes: 40_000 },
  objects: { size: '64m', inodes: 20_000 },
  logs: { size: '512m', inodes: 1_000 },
};

/** The access token of a session expires during the matrix, so the client has an API token. */
async function signUpForLong(url: string): Promise<Account> {
  const account = await signUp(url);
  const { token } = await account.client.call(users.regenerateToken);
  return { ...account, client: new MillraceClient({ baseUrl: url, token, fetch: checkedFetch }) };
}

export async function startMatrix(): Promise<Matrix> {
  const [system, receiver] = await Promise.all([startOwnSystem(SETTINGS, { disks: DISKS }), receiveWebhooks()]);
  const ports = JSON.parse(readFileSync(join(system.folder, 'ports.json'), 'utf8')) as { nats: number; redis: number };
  const [nats, redis] = await Promise.all([startReportLink(ports.nats), startLink(ports.redis)]);
  const starting = SERVICES.map(async (service) => [service, await startSecondCopy(system, service)] as const);
  const copies: ReadonlyMap<ServiceName, SecondCopy> = new Map(await Promise.all(starting));
  const worker = await startSecondCopy(system, 'worker', {
    suffix: LINKED_FLEET,
    env: {
      NATS_URL: `nats://127.0.0.1:${nats.port}`,
      REDIS_URL: `redis://:${redisOptions(system.folder).password}@127.0.0.1:${redis.port}/0`,
      WORKER_FLEET: LINKED_FLEET,
    },
  });
  await installGates(system.database);
  const account = await signUpForLong(system.url);
  await enableAllNotifications({ system, account, receiver });
  const table = await makeTable(account, ['mark', 'item']);
  const shifted = new Map<ShiftedClock, SecondCopy>();
  const database = new Database({ url: system.database, service: 'runs', connections: 4 });
  const seenPids = new Set<number>();
  const copyOf = (process: ProcessName) => copies.get(process as ServiceName);
  return {
    ...{ system, account, receiver, database, table, copies, linked: { worker, nats, redis } },
    intactObjects: new Set(),
    formerPids: () => seenPids,
    pidsOf: (process) => {
      const pids = [
        system.pidOf(process),
        ...(copyOf(process) ? [copyOf(process)?.pid() ?? 0] : []),
        ...(process === 'worker' ? [worker, ...shifted.values()].map((copy) => copy.pid()) : []),
      ];
      for (const pid of pids) seenPids.add(pid);
      return pids;
    },
    startShifted: async (direction) => {
      if (shifted.has(direction)) return;
      const env = { WORKER_FLEET: direction, SHIFT_CLOCK_MS: String(SHIFT_MS[direction]) };
      const args = ['--import', join(import.meta.dirname, 'shift-clock.mjs')];
      shifted.set(direction, await startSecondCopy(system, 'worker', { suffix: direction, args, env }));
    },
    recover: async () => {
      await Promise.all([...copies.values(), worker].map((copy) => copy.revive()));
      await eventually(async () => expect(await system.isReady()).toBe(true));
    },
    stop: async () => {
      await database.close();
      const stopped = await Promise.allSettled(
        [...copies.values(), worker, ...shifted.values()].map((copy) => copy.stop()),
      );
      await Promise.all([system.stop(), receiver.stop(), nats.stop(), redis.stop()]);
      for (const result of stopped) if (result.status === 'rejected') throw result.reason;
    },
  };
}
