import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { runStarted } from '@millrace/contracts/runs/runs';
import { eventually } from '@millrace/testkit/eventually';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { Database, type Transaction } from './database.js';
import { Prisma, PrismaClient } from './generated/client.js';
import { newId } from './ids.js';

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

const told = (name: string) => ({ vault: newId(), owner: newId(), name });

const outboxOf = (name: string) =>
  fresh.query(`SELECT service, kind, name FROM messaging.outbox WHERE payload->>'name' = $1`, [name]);

describe('a transaction', () => {
  it('gives what its work gives, and leaves what it said in the outbox', async () => {
    const id = await database.transaction(async (tx) => {
      tx.emit(vaultCreated, told('committed'));
      return (await tx.vault.create({ data: { id: newId(), name: 'committed' } })).id;
    });
    expect(await database.client.vault.findUnique({ where: { id } })).toMatchObject({ name: 'committed' });
    expect(await outboxOf('committed')).toEqual([{ service: 'auth', kind: 'event', name: 'auth.vault.created' }]);
  });

  it('that fails leaves nothing, and tells nobody', async () => {
    const heard: string[] = [];
    database.onCommit((entries) => heard.push(...entries.map(({ name }) => name)));
    const failing = database.transaction(async (tx) => {
      await tx.vault.create({ data: { id: newId(), name: 'failed' } });
      tx.emit(vaultCreated, told('failed'));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await database.client.vault.count({ where: { name: 'failed' } })).toBe(0);
    expect(await outboxOf('failed')).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('cannot say what is not its service to say, nor what does not fit the contract', async () => {
    const startedAt = new Date().toISOString();
    const foreign = { run: '1', vault: newId(), workflow: newId(), version: newId(), startedAt };
    await expect(database.transaction(async (tx) => tx.emit(runStarted, foreign))).rejects.toThrow(
      "runs.run.started is runs's to emit, not auth's",
    );
    const misfit = { ...told('misfit'), vault: 'no uuid' };
    await expect(database.transaction(async (tx) => tx.emit(vaultCreated, misfit))).rejects.toThrow(/uuid/i);
  });

  it('that deadlocks with another is tried again, and says what it says once', async () => {
    const [a, b] = [newId(), newId()];
    await database.client.vault.createMany({ data: [a, b].map((id) => ({ id, name: '0' })) });
    const { promise: bothHold, resolve } = Promise.withResolvers<void>();
    let holding = 0;
    let tries = 0;
    const rename = (first: string, second: string, name: string) =>
      database.transaction(async (tx) => {
        tries++;
        tx.emit(vaultCreated, told(name));
        await tx.vault.update({ where: { id: first }, data: { name } });
        if (++holding === 2) resolve();
        await bothHold;
        await tx.vault.update({ where: { id: second }, data: { name } });
      });
    await Promise.all([rename(a, b, 'one way'), rename(b, a, 'other way')]);
    expect(tries).toBe(3);
    expect(await outboxOf('one way')).toHaveLength(1);
    expect(await outboxOf('other way')).toHaveLength(1);
  });

  it('can be joined before its commit by what must commit with it, which sees what the work gave', async () => {
    const other = new Database({ url: fresh.url, service: 'auth', connections: 1 });
    other.beforeCommit((tx, value) => {
      tx.defer(Prisma.sql`INSERT INTO auth.vault (id, name) VALUES (${newId()}::uuid, ${`joined ${String(value)}`})`);
    });
    await other.transaction(async () => 'in');
    await expect(other.transaction(async () => Promise.reject(new Error('out')))).rejects.toThrow('out');
    expect(await database.client.vault.count({ where: { name: { startsWith: 'joined' } } })).toBe(1);
    await other.close();
  });

  it('gives raw statements the values that Prisma gives, in a transaction and outside of it', async () => {
    const ask = Prisma.sql`SELECT ${7n}::bigint AS big, ARRAY[1, ${2n}]::bigint[] AS bigs, ${3}::int AS small, ${1.5}::float8 AS part,
      ${new Date(5)}::timestamptz AS at, ${JSON.stringify({ a: [1] })}::jsonb AS json, ${newId()}::uuid IS NULL AS no,
      ${['a', 'b"c']}::text[] AS texts, ${Buffer.from('x')}::bytea AS bytes, ${null}::text AS nothing`;
    const [inside] = await database.transaction((tx) => tx.$queryRaw<object[]>(ask));
    const [outside] = await database.client.$queryRaw<object[]>(ask);
    const plain = new PrismaClient({ adapter: new PrismaPg({ connectionString: fresh.url }) });
    const [prismas] = await plain.$queryRaw<object[]>(ask);
    await plain.$disconnect();
    expect(inside).toEqual(outside);
    expect({ ...inside, bytes: null }).toEqual({ ...prismas, bytes: null });
    expect(inside).toMatchObject({ big: 7n, bigs: [1n, 2n], at: new Date(5), bytes: Buffer.from('x') });
  });

  it('runs no statement of a transaction that is over', async () => {
    const insert = (tx: Transaction) =>
      tx.$executeRaw`INSERT INTO auth.vault (id, name) VALUES (${newId()}::uuid, 'late')`;
    const escaped = await database.transaction((tx) => Promise.resolve(tx));
    await expect(insert(escaped)).rejects.toThrow('over');
    const slow = database.transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_sleep(0.3)`;
        await insert(tx);
      },
      { timeoutMs: 100 },
    );
    await expect(slow).rejects.toThrow();
    expect(await database.client.vault.count({ where: { name: 'late' } })).toBe(0);
  });
});

it('leaves no connection when it is closed, whatever it was used for', async () => {
  const application = 'millrace-billing';
  const left = () =>
    fresh.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()', [
      application,
    ]);
  const other = new Database({ url: fresh.url, service: 'billing', connections: 2 });
  await other.client.$queryRaw(Prisma.sql`SELECT 1`);
  expect(await left()).toHaveLength(1);
  await other.close();
  await eventually(async () => expect(await left()).toHaveLength(0));
});

it('outlives the loss of its connections, also where only raw statements were sent', async () => {
  const own = new Database({ url: fresh.url, service: 'billing', connections: 2 });
  const ask = () => own.client.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const [first] = await ask();
  await fresh.query('SELECT pg_terminate_backend($1)', [first?.pid]);
  await eventually(async () => expect(await ask()).not.toEqual([first]));
  await own.close();
});
