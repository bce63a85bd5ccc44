import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { archiveOutputs } from '@millrace/contracts/runs/outputs';
import { Database } from '@millrace/persistence/database';
import { newId, timeOfId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';

const caller = ownerCaller();
let system: SystemWithStore;
let database: Database;
let run: SplitRun;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  run = await insertSplitRun(database, { caller, folder: system.folder, children: 3 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

interface Row {
  task?: number;
  path?: string;
  label?: string;
  replaced?: boolean;
  shownSha256?: string;
  shownSize?: bigint;
}

async function insertOutputs(node: string, ...rows: Row[]): Promise<string[]> {
  const base = {
    runId: run.run.id,
    subjobId: 7n,
    step: run.step(node),
    node,
    label: node,
    task: 0,
    path: 'output.txt',
  };
  const data = rows.map((row) => ({ ...base, id: newId(), size: 9n, sha256: 'a'.repeat(64), ...row }));
  await database.client.output.createMany({ data });
  return data.map(({ id }) => id);
}

const list = (query: Record<string, string> = {}) =>
  system.callAs(caller, archiveOutputs, { params: { id: run.id }, query });
const pathsOf = async (query: Record<string, string> = {}) => (await list(query)).files.map(({ path }) => path);

/** The paths of each part. */
async function listParts(query: Record<string, string>): Promise<string[][]> {
  const parts: string[][] = [];
  for (let after: string | null | undefined; after !== null;) {
    const { files, next } = await list({ ...query, ...(after !== undefined && { after }) });
    parts.push(files.map(({ path }) => path));
    after = next;
  }
  return parts;
}

describe('the files of an archive', () => {
  it('are not found in a run without outputs, and in a run of another vault', async () => {
    await expect(list()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('no such outputs'),
    });
    const request = { params: { id: run.id }, query: {} };
    await expect(system.callAs(ownerCaller(), archiveOutputs, request)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are in the folders of their nodes, without outputs that a retry has replaced', async () => {
    await insertOutputs('each-1', { task: 2, label: 'hosts' }, { task: 1, label: 'hosts', path: 'b\\c.txt' });
    await insertOutputs('each-1', { task: 3, label: 'hosts', replaced: true });
    await insertOutputs('lines-1', { label: 'total' }, { label: 'total', path: 'Größe/📦.txt' });
    const [last = ''] = await insertOutputs('all-1', { label: 'total', shownSha256: 'b'.repeat(64), shownSize: 4n });
    const { name, files, next } = await list();
    expect([name, next]).toEqual([`w-run-${run.id}.zip`, null]);
    expect(files.map(({ path }) => path).toSorted()).toEqual([
      ...['1-hosts/b%5Cc.txt', '2-hosts/output.txt', 'all-1/output.txt', 'lines-1/Größe/📦.txt', 'lines-1/output.txt'],
    ]);
    // The content that users may see, not the content with secrets.
    const modified = timeOfId(last).getTime();
    expect(files.at(-1)).toEqual({ path: 'all-1/output.txt', sha256: 'b'.repeat(64), size: 4, modified });
  });

  it('can be those of one node, of one label or of the named outputs', async () => {
    for (const query of [{ node: 'all-1' }, { named: 'true' }])
      expect(await pathsOf(query)).toEqual(['total/output.txt']);
    expect(await pathsOf({ label: 'hosts' })).toEqual(['1-hosts/b%5Cc.txt', '2-hosts/output.txt']);
    await expect(list({ node: 'nothing-1' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are listed in parts of up to 1,000, each once', async () => {
    await insertOutputs(
      'then-1',
      ...Array.from({ length: 2_500 }, (_, n) => ({ task: 1 + (n % 3), path: `${n}.txt` })),
    );
    expect((await listParts({ node: 'then-1' })).map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    for (const [query, count] of [
      [{ node: 'then-1' }, 2_500],
      [{ label: 'then-1' }, 2_500],
      // A part can end in one step and begin in another.
      [{}, 2_505],
    ] as const) {
      const paths = (await listParts(query)).flat();
      expect([new Set(paths).size, paths.length]).toEqual([count, count]);
    }
  });
});
