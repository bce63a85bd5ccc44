import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { restoreContents } from '@millrace/contracts/runs/contents';
import { getStorageUsage, uploadFile } from '@millrace/contracts/workflows/storage';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
/** The objects whose bytes the runs service does not find. */
let missing: string[];
beforeAll(async () => {
  system = await startApps([start]);
  const runs = await system.fake('runs');
  runs.on(restoreContents, async ({ body }) => {
    const { hashes } = restoreContents.body.parse(body);
    const restored = hashes.filter((hash) => !missing.includes(hash));
    await system.database.query('DELETE FROM contents.unused WHERE sha256 = ANY($1)', [restored]);
    return { missing: hashes.filter((hash) => missing.includes(hash)) };
  });
});
afterAll(() => system.close());

const upload = async (sha256: string) => {
  const caller = ownerCaller();
  await system.database.query(`INSERT INTO contents.unused (sha256, state) VALUES ($1, 'GONE')`, [sha256]);
  await system.callAs(caller, uploadFile, { body: { path: 'a', size: 1, sha256 } });
  return system.callAs(caller, getStorageUsage);
};

it('a file is uploaded if its content was deleted once and has been stored again', async () => {
  missing = [];
  expect(await upload(randomBytes(32).toString('hex'))).toMatchObject({ files: 1 });
});

it('a file is refused, to be sent again, if its content was deleted while it arrived', async () => {
  const sha256 = randomBytes(32).toString('hex');
  missing = [sha256];
  await expect(upload(sha256)).rejects.toMatchObject({ code: 'unavailable' });
});
