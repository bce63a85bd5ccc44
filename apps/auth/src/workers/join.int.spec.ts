import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { listAdminAudit } from '@millrace/contracts/auth/admin/admin-audit';
import { createJoinToken, listJoinTokens, revokeJoinToken } from '@millrace/contracts/auth/admin/join-tokens';
import { listJoinedWorkers, revokeJoinedWorker } from '@millrace/contracts/auth/admin/joined-workers';
import { checkWorkerKey, findRevokedWorkers, joinAsWorker } from '@millrace/contracts/auth/join';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request, Result } from '@millrace/contracts/kit/operation';
import { dispatchQueue } from '@millrace/contracts/runs/engine';
import { eventually } from '@millrace/testkit/eventually';
import { privateRedis, type PrivateRedis } from '@millrace/testkit/private-redis';
import { callerOf, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { runAdminCommand } from '../admin/admins/run-admin-command.js';
import { start } from '../start.js';

const STORAGE_URL = 's3://objects?endpoint=https://s3.example.org';
let redis: PrivateRedis;
let system: System;
let admin: Caller;
beforeAll(async () => {
  redis = await privateRedis();
  const env = {
    REDIS_URL: redis.url,
    ...{ WORKER_JOIN_REDIS_URL: redis.url, WORKER_JOIN_STORAGE_URL: STORAGE_URL },
    ...{ WORKER_JOIN_ACCESS_KEY_ID: 'id of workers', WORKER_JOIN_SECRET_ACCESS_KEY: 'secret of workers' },
  };
  system = await startApps([start], env);
  const account = await signUp(system);
  await runAdminCommand(system.database.url, { name: 'grant', email: account.email });
  admin = (await callerOf(system, account.user.id, account.access)) as Caller;
});
afterAll(async () => {
  await system.close();
  await redis.stop();
});

const create = (body: Partial<Request<typeof createJoinToken>['body']> = {}) =>
  system.callAs(admin, createJoinToken, {
    body: createJoinToken.body.parse({ name: 'gpu machines', fleet: 'gpu', labels: { gpu: 'true' }, ...body }),
  });
const join = (token: string, more: object = {}) =>
  system.callAs(null, joinAsWorker, { body: { token, name: 'machine-7', ...more } });
const connect = ({ redis_url, redis_user, redis_password }: Result<typeof joinAsWorker>) =>
  new Redis(redis_url, {
    username: redis_user,
    password: redis_password,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    lazyConnect: true,
  }).on('error', () => undefined);
const grantOf = async (id: string, key: string) =>
  (await system.callAs(null, checkWorkerKey, { body: { id, key } })).grant;

describe('a join token', () => {
  it('is exchanged for credentials of one worker, as often as it allows', async () => {
    const token = await create({ max_uses: 2 });
    expect(token).toMatchObject({
      uses: 0,
      max_uses: 2,
      state: 'active',
      fleet: 'gpu',
      prefix: token.token.slice(0, 6),
    });
    const [first, second] = [await join(token.token), await join(token.token, { labels: {}, sizes: ['small'] })];
    expect(first).toMatchObject({
      fleet: 'gpu',
      labels: { gpu: 'true' },
      storage_url: STORAGE_URL,
      storage_access_key: 'id of workers',
    });
    expect(second).toMatchObject({ labels: {}, sizes: ['small'] });
    expect(first.id).not.toBe(second.id);
    await expect(join(token.token)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('used 2 times'),
    });
    const { results } = await system.callAs(admin, listJoinTokens);
    expect(results.find(({ id }) => id === token.id)).toMatchObject({ uses: 2, state: 'used_up' });
    expect(JSON.stringify(await system.database.query('SELECT * FROM auth.join_token'))).not.toContain(token.token);
  });

  it('is not used up by a worker that requests more than it allows', async () => {
    const { token } = await create();
    await expect(join(token, { fleet: 'other' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.fleet': expect.anything() },
    });
    await join(token);
  });

  it('is refused with the reason if it is unknown, expired or revoked', async () => {
    await expect(join('unknown')).rejects.toMatchObject({ code: 'unauthenticated' });
    const revoked = await create();
    expect(await system.callAs(admin, revokeJoinToken, { params: { id: revoked.id } })).toMatchObject({
      state: 'revoked',
    });
    await expect(join(revoked.token)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('revoked'),
    });
    const expired = await create();
    await system.database.query('UPDATE auth.join_token SET expires_at = now() WHERE id = $1', [expired.id]);
    await expect(join(expired.token)).rejects.toMatchObject({ code: 'token_expired' });
    await expect(system.callAs(admin, revokeJoinToken, { params: { id: 'x' } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a joined worker', () => {
  it('has a key, which no other worker has', async () => {
    const token = await create({ max_uses: 2 });
    const [one, other] = [await join(token.token), await join(token.token)];
    expect(await grantOf(one.id, one.worker_key)).toEqual({
      id: one.id,
      fleet: 'gpu',
      labels: { gpu: 'true' },
      sizes: one.sizes,
    });
    expect(await grantOf(one.id, other.worker_key)).toBeNull();
    expect(await grantOf('j-0000000000000000', one.worker_key)).toBeNull();
  });

  it('reaches the queue of its fleet in Redis, and nothing else', async () => {
    const client = connect(await join((await create()).token));
    await client.connect();
    const queue = `bull:${dispatchQueue('gpu')}:wait`;
    await client.lpush(queue, '1');
    const read = "return redis.call('LLEN', KEYS[1])";
    expect(await client.eval(read, 1, queue)).toBe(1);
    for (const refused of [
      () => client.lpush(`bull:${dispatchQueue('default')}:wait`, '1'),
      () => client.eval(read, 1, `bull:${dispatchQueue('default')}:wait`),
      () => client.eval("return redis.call('LLEN', 'bull:exports:wait')", 0),
      ...[
        () => client.keys('*'),
        () => client.scan(0),
        () => client.flushall(),
        () => client.acl('LIST'),
        () => client.config('GET', '*'),
      ],
      ...[() => client.publish('bull', 'x'), () => client.script('FLUSH'), () => client.call('FUNCTION', 'FLUSH')],
    ])
      await expect(refused()).rejects.toThrow(/NOPERM|can't access/);
    client.disconnect();
  });

  it('keeps its user when Redis has restarted without it', async () => {
    const joined = await join((await create()).token);
    await redis.signal('SIGKILL');
    await redis.start();
    await eventually(async () => {
      const client = connect(joined);
      try {
        await client.connect();
        expect(await client.ping()).toBe('PONG');
      } finally {
        client.disconnect();
      }
    });
  });

  it('loses all access at once when it is revoked, and the audit log has what happened', async () => {
    const joined = await join((await create()).token);
    const client = connect(joined);
    await client.connect();
    const ended = new Promise((resolve) => client.once('close', resolve));
    const { results } = await system.callAs(admin, listJoinedWorkers, { query: { search: joined.id } });
    expect(results).toMatchObject([{ id: joined.id, name: 'machine-7', fleet: 'gpu', token_name: 'gpu machines' }]);
    await system.callAs(admin, revokeJoinedWorker, { params: { id: `${joined.id}-0a1b2c3d` } });
    await ended;
    await expect(connect(joined).connect()).rejects.toThrow();
    expect(await grantOf(joined.id, joined.worker_key)).toBeNull();
    expect(await system.callAs(null, findRevokedWorkers, { body: { workers: [joined.id] } })).toEqual({
      revoked: [joined.id],
    });
    await expect(system.callAs(admin, revokeJoinedWorker, { params: { id: joined.id } })).rejects.toMatchObject({
      code: 'not_found',
    });
    const audit = await system.callAs(admin, listAdminAudit);
    const acts = audit.results
      .filter(({ target_id }) => target_id === joined.id)
      .map(({ action, credential }) => [action, credential]);
    expect(acts).toEqual([
      ['worker.revoked', 'session'],
      ['worker.joined', 'join_token'],
    ]);
  });
});
