import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import { keepContents, listFolderContents } from './keep-contents.js';

/** More than fit into one statement. */
const FILES = 6_000;

const folder = mkdtempSync(join(tmpdir(), 'keep-'));
let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

it('a run refers to each file of a long folder among its inputs', async () => {
  const outputs = new OutputLists(new DiskStore(folder));
  const files = Array.from({ length: FILES }, (_, at) => {
    return { path: `${at}`, sha256: at.toString(16).padStart(64, '0'), size: 1 };
  });
  const inputs = { 'folder-1': { folder: await outputs.toFileSet(files) }, 'string-1': 'x' };
  const { id } = await database.client.run.create({
    data: {
      ...{
        vaultId: newId(),
        name: 'r',
        status: 'PENDING',
        creationType: 'MANUAL',
        workflowId: newId(),
        openSegments: 1,
      },
      ...{ workflowName: 'w', versionId: newId(), spaceId: newId(), spaceName: 's', author: newId(), parallelism: 1 },
      ...{ plan: 'f'.repeat(64), inputs },
    },
  });
  const hashes = await listFolderContents(inputs, outputs);
  await database.transaction(async (tx) => {
    for (const statement of keepContents(id, hashes)) await tx.$queryRaw(statement);
  });
  const all = files.map(({ sha256 }) => sha256);
  const found = await fresh.query<{ count: number }>(`SELECT count(*)::int FROM contents.find_references($1)`, [all]);
  expect(found[0]?.count).toBe(FILES);
});
