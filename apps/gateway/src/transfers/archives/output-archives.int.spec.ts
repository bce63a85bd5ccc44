import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import { archiveOutputs } from '@millrace/contracts/runs/outputs';
import { openStore } from '@millrace/storage/open-store';
import { storageEnv } from '@millrace/storage/settings/storage-env';
import { type GatewaySystem, gatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../../start.js';

type Part = Result<typeof archiveOutputs>;

let system: GatewaySystem;
let folder: string;
let url: string;
let queries: Record<string, unknown>[] = [];
const RUNS = { complete: '1', broken: '2', endless: '3', empty: '4' };
/** The part that follows an output, by the run. */
let partOf: Record<string, (after: string | undefined) => Part> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-archives-'));
  system = await gatewaySystem(start);
  const store = openStore(storageEnv.parse({ STORAGE_DIR: folder }));
  const small = await store.put(Buffer.from('content\n'));
  const large = await store.put(Buffer.alloc(1_000_000));
  const part = (path: string, object: typeof small, next: string | null): Part => ({
    ...{ name: 'Größe-run-7.zip', files: [{ path, ...object, modified: Date.now() }], next },
  });
  partOf = {
    [RUNS.complete]: (after) => (after === undefined ? part('a/1', small, 'first') : part('a/2', small, null)),
    [RUNS.broken]: (after) => {
      if (after !== undefined) throw new Error('The database is down');
      const [file] = part('a/1', large, null).files;
      return { name: 'broken.zip', files: Array.from({ length: 12 }, () => file) as Part['files'], next: 'first' };
    },
    [RUNS.endless]: () => part('a/1', large, 'more'),
    [RUNS.empty]: () => {
      throw new ApiError('not_found', 'Run 7 has no such outputs.');
    },
  };
  (await system.fake('runs')).on(archiveOutputs, ({ params, query }) => {
    queries.push(query as Record<string, unknown>);
    const { id } = params as { id: string };
    return (partOf[id] as (after?: string) => Part)((query as { after?: string }).after);
  });
  url = await system.start({ STORAGE_DIR: folder });
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true, force: true });
});

const download = (run: string, init: RequestInit = {}) => {
  queries = [];
  return fetch(`${url}/api/runs/${run}/outputs/archive?label=a`, {
    headers: { authorization: 'Token token' },
    ...init,
  });
};

describe('an archive of outputs', () => {
  it('is listed in parts, all with the same filter', async () => {
    const response = await download(RUNS.complete);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(response.headers.get('content-disposition')).toContain(`UTF-8''Gr%C3%B6%C3%9Fe-run-7.zip`);
    const text = await response.text();
    expect(text.split('content\n')).toHaveLength(3);
    expect(queries).toEqual([{ label: 'a' }, { label: 'a', after: 'first' }]);
  });

  it('breaks off with an error if a part cannot be listed', async () => {
    const response = await download(RUNS.broken);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('is an error from the beginning if there are no outputs, or without credentials', async () => {
    const response = await download(RUNS.empty);
    expect([response.status, await response.json()]).toMatchObject([404, { message: 'Run 7 has no such outputs.' }]);
    expect((await download(RUNS.complete, { headers: {} })).status).toBe(401);
  });

  it('is not read for a request of its headers', async () => {
    const response = await download(RUNS.endless, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(queries).toHaveLength(1);
  });

  it('is no longer listed when the client goes away', async () => {
    const stop = new AbortController();
    const response = await download(RUNS.endless, { signal: stop.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    stop.abort();
    await expect(reader.read()).rejects.toThrow();
    let count = -1;
    for (let tries = 0; tries < 50 && count !== queries.length; tries++) {
      count = queries.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(queries).toHaveLength(count);
  });
});
