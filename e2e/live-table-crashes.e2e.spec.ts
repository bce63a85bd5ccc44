import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { datasets, exports as exportRequests, loads } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { chooseCases } from './support/choose-cases.js';
import { makeTable, readRows } from './support/live-table.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { signUp, type Account } from './support/sign-up.js';

const ROWS = 100_000;
const PROCESSES = ['datasets', 'postgres', 'redis'];
const LOADS = PROCESSES.flatMap((name) => [[name, 'READING'] as const, [name, 'MERGING'] as const]);

let system: OwnSystem;
let account: Account;
let table: string;
const lines = Array.from(
  { length: ROWS },
  (_, at) => `{"host":"h${at}","port":${at % 1000},"note":"${'x'.repeat(at % 97)}"}\n`,
);

beforeAll(async () => {
  system = await startOwnSystem({}, { separate: ['datasets'] });
  account = await signUp(system.url);
});
afterAll(() => system.stop());

const send = (id: string, body: string) =>
  fetch(`${system.url}/api/datasets/${id}/rows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.access}`, 'content-type': 'application/x-ndjson' },
    body,
  });

const newestLoad = async (id: string) => {
  const { results } = await account.client.call(loads.listLoads, { params: { id } });
  return results[0];
};

/** Loads into new tables until a load is observed with the status, which may be too short to observe at the first attempt. */
async function sendUntil(status: 'READING' | 'MERGING'): Promise<{ response: Promise<unknown> }> {
  for (let tries = 1; tries <= 10; tries++) {
    table = await makeTable(account, ['host']);
    const response = send(table, lines.join('')).catch(() => null);
    const seen = await eventually(async () => {
      const now = (await newestLoad(table))?.status;
      expect([status, 'COMPLETED']).toContain(now);
      return now;
    });
    if (seen === status) return { response };
    await response;
  }
  throw new Error(`No load was observed with the status ${status}`);
}

async function kill(name: string): Promise<void> {
  const victim = system.pidOf(name);
  process.kill(victim, 'SIGKILL');
  await eventually(() => expect(system.pidOf(name)).not.toBe(victim));
  await eventually(async () => expect(await system.isReady()).toBe(true));
}

describe('a load of 100,000 rows is in the table completely and once even if a process is killed:', () => {
  it.each(chooseCases(LOADS, 3))('%s while the load is %s', async (name, status) => {
    const sending = await sendUntil(status);
    await kill(name);
    await sending.response;
    await eventually(
      async () => expect(await newestLoad(table)).toMatchObject({ status: 'COMPLETED', rows_new: ROWS }),
      { withinMs: 90_000 },
    );
    const found = await readRows(account.client, table, { select: 'host,port' });
    expect(found).toHaveLength(ROWS);
    expect(new Set(found.map(({ host }) => host)).size).toBe(ROWS);
  });
});

describe('an export of 100,000 rows has the same bytes even if a process is killed:', () => {
  const hashes = new Set<string>();
  it.each(chooseCases(PROCESSES, 2))('%s', async (name) => {
    const { client } = account;
    const body = { dataset: table, select: 'host,port,note', order: 'host', format: 'csv' as const };
    const { id } = await client.call(exportRequests.createExport, { body });
    await kill(name);
    const done = await eventually(
      async () => {
        const request = await client.call(exportRequests.getExport, { params: { id } });
        expect(request).toMatchObject({ status: 'COMPLETED', rows: ROWS });
        return request;
      },
      { withinMs: 90_000 },
    );
    const { body: file } = await client.download(exportRequests.downloadExport, { params: { id } });
    const bytes = await buffer(file);
    expect(bytes.byteLength).toBe(done.size);
    expect(bytes.toString().split('\n').filter(Boolean)).toHaveLength(ROWS + 1);
    hashes.add(createHash('sha256').update(bytes).digest('hex'));
    expect(hashes.size).toBe(1);
  });
});

it('a table that is deleted during a load, an export and a query disappears at once, and all three end', async () => {
  const { client } = account;
  const id = await makeTable(account, ['host']);
  await send(id, lines.slice(0, 50_000).join(''));
  await eventually(async () => expect((await newestLoad(id))?.status).toBe('COMPLETED'));
  const sending = send(id, lines.join('')).then((response) => response.status);
  const exported = await client.call(exportRequests.createExport, { body: { dataset: id, format: 'json' } });
  const querying = Promise.allSettled(
    Array.from({ length: 4 }, () => readRows(client, id, { q: 'note ~ "(x+)+y"', order: 'note' })),
  );
  await eventually(async () => expect((await newestLoad(id))?.status).toMatch(/READING|MERGING/));
  await client.call(datasets.deleteDataset, { params: { id } });
  await expect(client.call(datasets.getDataset, { params: { id } })).rejects.toMatchObject({ status: 404 });
  expect([200, 404]).toContain(await sending);
  await querying;
  await eventually(async () => {
    const { status } = await client.call(exportRequests.getExport, { params: { id: exported.id } });
    expect(['COMPLETED', 'FAILED']).toContain(status);
  });
});
