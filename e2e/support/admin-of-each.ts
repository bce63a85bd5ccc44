import { randomUUID } from 'node:crypto';
import { adminTasks, adminTokens, join, joinTokens, logLevel } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { insertDeadLetter } from './insert-dead-letter.js';
import { grantAdmin, makeAdmin } from './make-admin.js';
import { vaultOf } from './open-sandbox.js';
import type { RequestOf, SampleRequest } from './sample-request.js';
import { signUp, type Account } from './sign-up.js';

type World = { owner: Account; guest: Account };

/** The request of an administrator. Other users get a rejection for it. */
const byAdmin =
  (requestOf: (world: World, admin: Account) => SampleRequest | Promise<SampleRequest>): RequestOf<World> =>
  async (world) => {
    const admin = await makeAdmin();
    return { ...(await requestOf(world, admin)), as: admin };
  };

const ofUser = byAdmin(({ guest }) => ({ params: { id: guest.user } }));
const ofVault = byAdmin(async ({ owner }) => ({ params: { id: await vaultOf(owner) } }));
const withBody =
  (requestOf: RequestOf<World>, body: unknown): RequestOf<World> =>
  async (world) => ({ ...(await requestOf(world)), body });

/** A service with few checks and small indexes. */
const PART = { services: ['billing' as const] };

/** A task that has ended, so that the next one may start. */
async function makeTask({ client }: Account): Promise<string> {
  const { id } = await eventually(() => client.call(adminTasks.startCheck, { body: PART }));
  await untilEnded(client, id);
  return id;
}

const untilEnded = (client: Account['client'], id: string) =>
  eventually(async () => {
    const { state } = await client.call(adminTasks.getAdminTask, { params: { id } });
    if (state === 'running') throw new Error(`Task ${id} has not ended`);
  });

/** Waits for the end of running tasks, which another test may have started. */
async function untilIdle({ client }: Account): Promise<void> {
  const { results } = await client.call(adminTasks.listAdminTasks, { query: { page_size: 5 } });
  for (const { id } of results) await untilEnded(client, id);
}

/** Lets a worker join, which never runs. @returns its id */
async function joinWorker({ client }: Account): Promise<string> {
  const { token } = await client.call(joinTokens.createJoinToken, { body: JOIN_TOKEN });
  return (await client.call(join.joinAsWorker, { body: { token, name: 'gpu-1.example.org' } })).id;
}

/** Examples of lists have two records. With a third there is always a next page, whatever other tests make. */
const MORE_THAN_A_PAGE = 3;

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await work();
}

const JOIN_TOKEN = { name: 'gpu machines', fleet: 'gpu', labels: { gpu: 'true' } };
const LOG_LEVEL = { service: 'billing', level: 'trace', minutes: 1 } as const;
const NOTHING = { name: 'nothing.has.this.name' };
const NO_LIMITS = { active_runs: null, dispatches: null, storage_bytes: null, live_rows: null };

export const ADMIN_REQUESTS: Record<string, RequestOf<World>> = {
  // Finds this one only, whatever other tests made.
  'auth.admins.list': byAdmin((_, admin) => ({ query: { search: admin.email } })),
  'auth.admins.grant': byAdmin(async () => ({ body: { email: (await signUp()).email } })),
  'auth.admins.revoke': byAdmin(async () => {
    const other = await signUp();
    await grantAdmin(other);
    return { params: { id: other.user } };
  }),
  'auth.adminTokens.list': byAdmin(async (_, { client }) => {
    await client.call(adminTokens.createAdminToken, { body: { name: `e2e ${randomUUID()}` } });
    return {};
  }),
  'auth.adminTokens.create': byAdmin(() => ({ body: { name: 'nightly check' } })),
  'auth.adminTokens.revoke': byAdmin(async (_, { client }) => {
    const body = { name: `e2e ${randomUUID()}` };
    return { params: { id: (await client.call(adminTokens.createAdminToken, { body })).id } };
  }),
  'auth.adminAudit.list': byAdmin(async (_, { client, user }) => {
    await client.call(logLevel.setLogLevel, { body: LOG_LEVEL });
    return { query: { action: 'log_level.changed', actor: user } };
  }),
  'auth.adminUsers.list': byAdmin(({ owner }) => ({ query: { search: owner.email } })),
  'auth.adminUsers.get': ofUser,
  'auth.adminUsers.suspend': withBody(
    byAdmin(async () => ({ params: { id: (await signUp()).user } })),
    { reason: 'Reported as abuse' },
  ),
  'auth.adminUsers.resume': ofUser,
  'auth.adminUsers.resetSignIn': ofUser,
  'auth.adminVaults.list': byAdmin(async () => {
    await repeat(MORE_THAN_A_PAGE, signUp);
    return { query: { state: 'active' } };
  }),
  'auth.adminVaults.get': ofVault,
  'auth.adminVaults.suspend': withBody(
    byAdmin(async () => ({ params: { id: await vaultOf(await signUp()) } })),
    { reason: 'Unpaid since March' },
  ),
  'auth.adminVaults.resume': ofVault,
  'auth.adminVaults.setLimits': withBody(ofVault, NO_LIMITS),
  'auth.deadLetters.list': byAdmin(async () => {
    await repeat(MORE_THAN_A_PAGE, insertDeadLetter);
    return { query: { name: 'datasets.exports.write' } };
  }),
  'auth.deadLetters.retry': withBody(
    byAdmin(() => ({})),
    NOTHING,
  ),
  'auth.deadLetters.drop': withBody(
    byAdmin(() => ({})),
    NOTHING,
  ),
  'auth.adminTasks.check': byAdmin(async (_, admin) => {
    await untilIdle(admin);
    return { body: PART };
  }),
  'auth.adminTasks.reindex': byAdmin(async (_, admin) => {
    await untilIdle(admin);
    return { body: { ...PART, indexes: ['billing.plan_pkey'] } };
  }),
  'auth.adminTasks.list': byAdmin(async (_, admin) => {
    await repeat(MORE_THAN_A_PAGE, () => makeTask(admin));
    return { query: { kind: 'check' } };
  }),
  'auth.adminTasks.get': byAdmin(async (_, admin) => ({ params: { id: await makeTask(admin) } })),
  'auth.adminTasks.cancel': byAdmin(async (_, admin) => ({ params: { id: await makeTask(admin) } })),
  'auth.joinTokens.list': byAdmin(async (_, { client }) => {
    await repeat(MORE_THAN_A_PAGE, () => client.call(joinTokens.createJoinToken, { body: JOIN_TOKEN }));
    return {};
  }),
  'auth.joinTokens.create': byAdmin(() => ({ body: JOIN_TOKEN })),
  'auth.joinTokens.revoke': byAdmin(async (_, { client }) => ({
    params: { id: (await client.call(joinTokens.createJoinToken, { body: JOIN_TOKEN })).id },
  })),
  'auth.joinedWorkers.list': byAdmin(async (_, admin) => ({ query: { search: await joinWorker(admin) } })),
  'auth.joinedWorkers.revoke': byAdmin(async (_, admin) => ({ params: { id: await joinWorker(admin) } })),
  'auth.logLevel.set': byAdmin(() => ({ body: LOG_LEVEL })),
};
