import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { runStarted } from '@millrace/contracts/runs/runs';
import { eventually } from '@millrace/testkit/eventually';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { Database, type Transaction } from './database.js';
import { Prisma, PrismaClient } from './generated/client.js';
import { newId } from './ids.js';
import { TransactionTimeoutError } from './transaction-timeout-error.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'auth', connections: 4 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const eventPayload = (name: string) => ({ vault: newId(), owner: newId(), name });

const outboxOf = (name: string) =>
  fresh.query(`SELECT service, kind, name FROM messaging.outbox WHERE payload->>'name' = $1`, [name]);

describe('a transaction', () => {
  it('returns the result of its function, and writes its events to the outbox', async () => {
    const id = await database.transaction(async (tx) => {
      tx.emit(vaultCreated, eventPayload('committed'));
      return (await tx.vault.create({ data: { id: newId(), name: 'committed' } })).id;
    });
    expect(await database.client.vault.findUnique({ where: { id } })).toMatchObject({ name: 'committed' });
    expect(await outboxOf('committed')).toEqual([{ service: 'auth', kind: 'event', name: 'auth.vault.created' }]);
  });

  it('leaves nothing and publishes nothing if it fails', async () => {
    const published: string[] = [];
    database.onCommit((entries) => published.push(...entries.map(({ name }) => name)));
    const failing = database.transaction(async (tx) => {
      await tx.vault.create({ data: { id: newId(), name: 'failed' } });
      tx.emit(vaultCreated, eventPayload('failed'));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await database.client.vault.count({ where: { name: 'failed' } })).toBe(0);
    expect(await outboxOf('failed')).toEqual([]);
    expect(published).toEqual([]);
  });

  const unsendable = {
    toPostgres: () => {
      throw new Error('not a value');
    },
  };
  it.each([
    ['fails in Postgres', Prisma.sql`INSERT INTO auth.vault (id, name) VALUES (NULL, 'x')`, { code: '23502' }],
    ['cannot be sent', Prisma.sql`UPDATE auth.vault SET name = ${unsendable}::text`, { message: 'not a value' }],
  ])('leaves nothing, and rejects with the reason, if a deferred statement %s', async (_, deferred, reason) => {
    const failing = database.transaction(async (tx) => {
      await tx.vault.create({ data: { id: newId(), name: 'before deferred' } });
      tx.emit(vaultCreated, eventPayload('before deferred'));
      tx.defer(deferred);
    });
    await expect(failing).rejects.toMatchObject(reason);
    expect(await database.client.vault.count({ where: { name: 'before deferred' } })).toBe(0);
    expect(await outboxOf('before deferred')).toEqual([]);
  });

  it('rejects if a statement failed in it, although its function caught the error', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO auth.vault (id, name) VALUES (NULL, 'x')`.catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('rolled the transaction back');
  });

  it('that finds rows by their keys plans each statement once and avoids whole tables; the next one does not', async () => {
    const single = new Database({ url: fresh.url, service: 'auth', connections: 1 });
    const read = (settings?: { findsByKey: boolean }) =>
      single.transaction(
        (tx) =>
          tx.$queryRaw`SELECT current_setting('plan_cache_mode') AS plans, current_setting('enable_seqscan') AS whole`,
        settings,
      );
    expect(await read({ findsByKey: true })).toEqual([{ plans: 'force_generic_plan', whole: 'off' }]);
    expect(await read()).toEqual([{ plans: 'auto', whole: 'on' }]);
    await single.close();
  });

  it('begins with its first statement, and commits with its last', async () => {
    const single = new Database({ url: fresh.url, service: 'auth', connections: 1 });
    const id = newId();
    await single.transaction(async (tx) => {
      const rename = (name: string) => tx.$executeRaw`UPDATE auth.vault SET name = ${name} WHERE id = ${id}::uuid`;
      const insert = tx.$executeRaw`INSERT INTO auth.vault (id, name) VALUES (${id}::uuid, 'first')`;
      await Promise.all([insert, rename('second'), rename('third')]);
      tx.defer(Prisma.sql`UPDATE auth.vault SET name = name || ' and last' WHERE id = ${id}::uuid`);
    });
    expect(await single.client.vault.findUnique({ where: { id } })).toMatchObject({ name: 'third and last' });
    await single.close();
  });

  it('rejects an event of another service, and a payload that does not match the contract', async () => {
    const startedAt = new Date().toISOString();
    const foreign = { run: '1', vault: newId(), workflow: newId(), version: newId(), startedAt };
    await expect(database.transaction(async (tx) => tx.emit(runStarted, foreign))).rejects.toThrow(
      'Only the runs service may emit runs.run.started, not auth',
    );
    const misfit = { ...eventPayload('misfit'), vault: 'no uuid' };
    await expect(database.transaction(async (tx) => tx.emit(vaultCreated, misfit))).rejects.toThrow(/uuid/i);
  });

  it('is retried after a deadlock, and publishes its event once', async () => {
    const [a, b] = [newId(), newId()];
    await database.client.vault.createMany({ data: [a, b].map((id) => ({ id, name: '0' })) });
    const { promise: bothHaveLocked, resolve } = Promise.withResolvers<void>();
    let locked = 0;
    let attempts = 0;
    const rename = (first: string, second: string, name: string) =>
      database.transaction(async (tx) => {
        attempts++;
        tx.emit(vaultCreated, eventPayload(name));
        await tx.vault.update({ where: { id: first }, data: { name } });
        if (++locked === 2) resolve();
        await bothHaveLocked;
        await tx.vault.update({ where: { id: second }, data: { name } });
      });
    await Promise.all([rename(a, b, 'one way'), rename(b, a, 'other way')]);
    expect(attempts).toBe(3);
    expect(await outboxOf('one way')).toHaveLength(1);
    expect(await outboxOf('other way')).toHaveLength(1);
  });

  describe('that refers to a stored object that was deleted', () => {
    const sha256 = 'a'.repeat(64);
    const refer = () =>
      database.transaction(async (tx) => {
        tx.emit(vaultCreated, eventPayload('restored'));
        await tx.$executeRaw`SELECT contents.claim(${[sha256]}::text[])`;
      });
    beforeEach(() =>
      fresh.query(`INSERT INTO contents.unused (sha256, state) VALUES ($1, 'GONE') ON CONFLICT DO NOTHING`, [sha256]),
    );

    it('is repeated when the object is restored, and publishes its event once', async () => {
      database.onGoneContents(async (hashes) => {
        await fresh.query('DELETE FROM contents.unused WHERE sha256 = ANY($1)', [hashes]);
        return [];
      });
      await refer();
      expect(await outboxOf('restored')).toHaveLength(1);
    });

    it('fails if the object cannot be restored, or is deleted again and again', async () => {
      for (const missing of [[sha256], []]) {
        database.onGoneContents(() => Promise.resolve(missing));
        await expect(refer()).rejects.toMatchObject({ name: 'ContentsGoneError', hashes: [sha256] });
      }
    });
  });

  it('lets listeners defer statements before its commit, with its result', async () => {
    const hooked = new Database({ url: fresh.url, service: 'auth', connections: 1 });
    hooked.beforeCommit((tx, value) => {
      tx.defer(Prisma.sql`INSERT INTO auth.vault (id, name) VALUES (${newId()}::uuid, ${`joined ${String(value)}`})`);
    });
    await hooked.transaction(async () => 'in');
    await expect(hooked.transaction(async () => Promise.reject(new Error('out')))).rejects.toThrow('out');
    expect(await database.client.vault.count({ where: { name: { startsWith: 'joined' } } })).toBe(1);
    await hooked.close();
  });

  it('returns the same values for raw statements as Prisma, inside and outside of a transaction', async () => {
    const statement = Prisma.sql`SELECT ${7n}::bigint AS big, ARRAY[1, ${2n}]::bigint[] AS bigs, ${3}::int AS small, ${1.5}::float8 AS part,
      ${new Date(5)}::timestamptz AS at, ${JSON.stringify({ a: [1] })}::jsonb AS json, ${newId()}::uuid IS NULL AS no,
      ${['a', 'b"c']}::text[] AS texts, ${Buffer.from('x')}::bytea AS bytes, ${null}::text AS nothing`;
    const [inside] = await database.transaction((tx) => tx.$queryRaw<object[]>(statement));
    const [outside] = await database.client.$queryRaw<object[]>(statement);
    const plain = new PrismaClient({ adapter: new PrismaPg({ connectionString: fresh.url }) });
    const [prismas] = await plain.$queryRaw<object[]>(statement);
    await plain.$disconnect();
    expect(inside).toEqual(outside);
    expect({ ...inside, bytes: null }).toEqual({ ...prismas, bytes: null });
    expect(inside).toMatchObject({ big: 7n, bigs: [1n, 2n], at: new Date(5), bytes: Buffer.from('x') });
  });

  it('runs no statement after it has ended', async () => {
    const insert = (tx: Transaction) =>
      tx.$executeRaw`INSERT INTO auth.vault (id, name) VALUES (${newId()}::uuid, 'late')`;
    const escaped = await database.transaction((tx) => Promise.resolve(tx));
    await expect(insert(escaped)).rejects.toThrow('already ended');
    const slow = database.transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_sleep(0.3)`;
        await insert(tx);
      },
      { timeoutMs: 100 },
    );
    await expect(slow).rejects.toThrow(TransactionTimeoutError);
    expect(await database.client.vault.count({ where: { name: 'late' } })).toBe(0);
  });

  it('ends a statement that takes longer, so that its locks do not stay', async () => {
    const sleep = (seconds: number) =>
      database.transaction(async (tx) => void (await tx.$executeRaw`SELECT pg_sleep(${seconds}::float8)`), {
        timeoutMs: 200,
      });
    await expect(sleep(600)).rejects.toThrow(TransactionTimeoutError);
    const sleeping = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'`;
    await eventually(async () => expect(await fresh.query(sleeping)).toEqual([]));
    await sleep(0);
    // The connection goes back to the pool without the limit.
    expect(await database.client.$queryRaw`SHOW statement_timeout`).toEqual([{ statement_timeout: '0' }]);
  });
});

it('a closed database leaves no connection', async () => {
  const application = 'millrace-billing';
  const listConnections = () =>
    fresh.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()', [
      application,
    ]);
  const closing = new Database({ url: fresh.url, service: 'billing', connections: 2 });
  await closing.client.$queryRaw(Prisma.sql`SELECT 1`);
  expect(await listConnections()).toHaveLength(1);
  await closing.close();
  await eventually(async () => expect(await listConnections()).toHaveLength(0));
});

it('a database recovers from lost connections, even if it runs only raw statements', async () => {
  const recovering = new Database({ url: fresh.url, service: 'billing', connections: 2 });
  const query = () => recovering.client.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const [first] = await query();
  await fresh.query('SELECT pg_terminate_backend($1)', [first?.pid]);
  await eventually(async () => expect(await query()).not.toEqual([first]));
  await recovering.close();
});
