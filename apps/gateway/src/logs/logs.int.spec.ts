import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Result } from '@millrace/contracts/kit/operation';
import { readRunningLog } from '@millrace/contracts/runs/engine';
import { describeLogGap } from '@millrace/contracts/runs/log-gap';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

type LogLocation = Result<typeof readLogs>;

let system: GatewaySystem;
let runs: FakeService;
let worker: FakeService;
let folder: string;
let url: string;
/** The responses of the runs service in order; the last one is repeated. */
let locations: LogLocation[];
let stored: NonNullable<LogLocation['stored']>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-logs-'));
  system = await gatewaySystem(start);
  [runs, worker] = [await system.fake('runs'), await system.fake('worker')];
  const object = await new DiskStore(folder).put(Buffer.from('one\ntwo\nlast but one\nlast\n'));
  stored = { ...object, truncated: true, head: 8, total: object.size + 1_000 };
  runs.on(readLogs, () => (locations.length > 1 ? locations.shift()! : locations[0]!));
  url = `${await system.start({ STORAGE_DIR: folder })}/api/runs/1/subjobs/2/logs`;
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true, force: true });
});

const read = async (query = '', headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}${query}`, { headers: { authorization: 'Token token', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const gap = describeLogGap(1_000);
const sent = `one\ntwo\n${gap}last but one\nlast\n`;

describe('a stored log with a gap', () => {
  beforeAll(() => {
    locations = [{ state: 'stored', attempt: 3, stored }];
  });

  it('contains a line that describes the gap', async () => {
    const { text, headers } = await read();
    expect(text).toBe(sent);
    expect(headers.get('x-log-attempt')).toBe('3');
    expect(headers.get('x-log-truncated')).toBe('true');
  });

  it('can be read from its last lines on', async () => {
    const { text, headers } = await read('?tail=1');
    expect(text).toBe('last\n');
    expect(headers.get('x-log-offset')).toBe(String(stored.total! - 'last\n'.length));
    expect((await read('?tail=500')).text).toBe('last but one\nlast\n');
    expect((await read('?tail=0')).text).toBe('');
  });

  it('can be read from any byte of the complete log on', async () => {
    expect((await read('?offset=4')).text).toBe(`two\n${gap}last but one\nlast\n`);
    expect((await read('?offset=508')).text).toBe(`${describeLogGap(500)}last but one\nlast\n`);
    expect((await read(`?offset=${stored.total! - 3}`)).text).toBe('st\n');
  });

  it('supports byte ranges of the sent text and rejects ranges outside of it', async () => {
    const bytes = Buffer.from(sent);
    for (const [from, to] of [
      [0, 3],
      [6, 12],
      [8, bytes.length - 1],
      [20, 60],
    ] as const) {
      const { status, text, headers } = await read('', { range: `bytes=${from}-${to}` });
      expect([status, headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${bytes.length}`]);
      expect(Buffer.from(text)).toEqual(Buffer.from(bytes.subarray(from, to + 1).toString()));
    }
    expect((await read('', { range: 'bytes=-5' })).text).toBe('last\n');
    const rejected = await read('', { range: 'bytes=9000-' });
    expect([rejected.status, rejected.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  });

  it('cannot be read by tail and offset together', async () => {
    const { status, text } = await read('?tail=1&offset=2');
    expect([status, JSON.parse(text)]).toMatchObject([400, { details: { 'query.offset': expect.any(String) } }]);
    expect((await read('?tail=10001')).status).toBe(400);
  });
});

it('a log that is followed beyond the end of its step skips the gap', async () => {
  const running = { worker: 'w1', step: 0, task: 0, startedAt: 7 };
  locations = [
    { state: 'running', attempt: 2, running },
    { state: 'stored', attempt: 2, stored },
  ];
  const grown = `one\ntwo\n${'x'.repeat(500)}`;
  worker.broker.handleOnInstance(readRunningLog, 'w1', ({ offset, startedAt }) => {
    expect(startedAt).toBe(7);
    const chunk = Buffer.from(grown).subarray(offset);
    return Promise.resolve(
      chunk.length > 0 ? { state: 'running', chunk: chunk.toString('base64') } : { state: 'unknown', chunk: '' },
    );
  });
  const { text } = await read('?follow=true');
  expect(text).toBe(`${grown}${describeLogGap(500)}last but one\nlast\n`);
});
