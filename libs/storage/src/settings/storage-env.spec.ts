import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openStore } from '../open-store.js';
import { storageArea, storageEnv } from './storage-env.js';

it('a storage area has objects of its own, which the main store does not have', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-store-'));
  try {
    const env = storageEnv.parse({ STORAGE_DIR: folder });
    const [main, area] = [openStore(env), openStore(storageArea(env, 'exports'))];
    const { sha256 } = await main.put(Buffer.from('both'));
    await area.put(Buffer.from('both'));
    await area.remove(sha256);
    expect([await main.has(sha256), await area.has(sha256)]).toEqual([true, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a storage area is below the prefix of the server', () => {
  const env = storageEnv.parse({ STORAGE_DIR: '/x', STORAGE_URL: 's3://bucket/some/place' });
  expect(storageArea(env, 'exports').STORAGE_URL).toMatchObject({ bucket: 'bucket', prefix: 'some/place/exports/' });
});
