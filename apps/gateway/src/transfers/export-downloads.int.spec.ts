import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { downloadExport } from '@millrace/contracts/datasets/exports';
import { openStore } from '@millrace/storage/open-store';
import { storageArea, storageEnv } from '@millrace/storage/settings/storage-env';
import type { FakeService } from '@millrace/testkit/fake-service';
import { type GatewaySystem, gatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

const CONTENT = 'host,port\na.example.org,443\n';
let system: GatewaySystem;
let datasets: FakeService;
let folder: string;
let url: string;
let etag: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-exports-'));
  system = await gatewaySystem(start);
  datasets = await system.fake('datasets');
  const env = storageEnv.parse({ STORAGE_DIR: folder });
  const object = await openStore(storageArea(env, 'exports')).put(Buffer.from(CONTENT));
  etag = `"${object.sha256}"`;
  datasets.on(downloadExport, () => ({ name: 'Größe "1".csv', ...object }));
  url = `${await system.start({ STORAGE_DIR: folder })}/api/exports/1/download`;
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true, force: true });
});

const download = (headers: Record<string, string> = {}) =>
  fetch(url, { headers: { authorization: 'Token token', ...headers } });

describe('the download of an export', () => {
  it('is an attachment with the name of the export', async () => {
    const response = await download();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain(`UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.csv`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(CONTENT);
  });

  it('resumes after an interruption while the file is unchanged', async () => {
    const rest = await download({ range: 'bytes=10-', 'if-range': etag });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 10-${CONTENT.length - 1}/${CONTENT.length}`,
    ]);
    expect(await rest.text()).toBe(CONTENT.slice(10));
    const changed = await download({ range: 'bytes=10-', 'if-range': '"another"' });
    expect([changed.status, await changed.text()]).toEqual([200, CONTENT]);
    expect((await download({ range: 'bytes=1000-' })).status).toBe(416);
    expect((await download({ 'if-none-match': etag })).status).toBe(304);
  });

  it('requires credentials', async () => {
    expect((await fetch(url)).status).toBe(401);
  });
});
