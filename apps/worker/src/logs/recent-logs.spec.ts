import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { Masker } from '../masking/masker.js';
import { RecentLogs } from './recent-logs.js';

let folder: string;
let store: DiskStore;
let logs: RecentLogs;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recent-logs-'));
  store = new DiskStore(join(folder, 'store'));
  logs = new RecentLogs(store);
});
afterEach(() => rmSync(folder, { recursive: true }));

const SUBJECT = { run: '1', step: 0, task: 0 };
const read = async (more: { offset?: number; tail?: number; startedAt?: number } = {}) => {
  const { state, chunk, offset } = await logs.read({ ...SUBJECT, stream: 'stdout', offset: 0, waitMs: 0, ...more });
  return { state, text: Buffer.from(chunk, 'base64').toString(), offset };
};
const write = (text: string) => writeFileSync(join(folder, 'stdout'), text);

describe('the log of a running step', () => {
  it.each([
    ['unmasked', null],
    ['masked', Masker.of(['hunter22'])],
  ])('can be read from its last lines on while it grows, %s', async (_, masker) => {
    logs.begin(SUBJECT, 5, folder, masker);
    write(`first\n${'hunter22 x\n'.repeat(1_000)}last but one\nlast\n`);
    const { offset, state } = await read({ tail: 2 });
    expect(state).toBe('running');
    expect(await read({ offset: offset ?? 0 })).toMatchObject({ text: 'last but one\nlast\n' });
    appendFileSync(join(folder, 'stdout'), 'new\n');
    expect(await read({ offset: (offset ?? 0) + 'last but one\nlast\n'.length })).toMatchObject({ text: 'new\n' });
    const { text } = await read();
    expect(text.slice(0, 8)).toBe('first\n' + (masker ? '**' : 'hu'));
  });

  it('is not mixed up with the log of another attempt', async () => {
    logs.begin(SUBJECT, 5, folder, null);
    write('of the first');
    const { sha256 } = await store.put(Buffer.from('of the first'));
    logs.end(SUBJECT, { stdout: { sha256, size: 12, truncated: false }, stderr: null });
    logs.begin(SUBJECT, 9, folder, null);
    write('of the second');
    expect(await read({ startedAt: 9 })).toMatchObject({ state: 'running', text: 'of the second' });
    expect(await read({ startedAt: 5 })).toMatchObject({ state: 'ended', text: 'of the first' });
    expect(await read({ startedAt: 7 })).toMatchObject({ state: 'unknown', text: '' });
    // A request without a start time gets the running attempt.
    expect(await read()).toMatchObject({ state: 'running', text: 'of the second' });
  });
});

it('the log of an ended step continues after the part that was not stored, at its offset in the whole log', async () => {
  logs.begin(SUBJECT, 5, folder, null);
  const { sha256 } = await store.put(Buffer.from('headtail'));
  logs.end(SUBJECT, { stdout: { sha256, size: 8, truncated: true, head: 4, total: 100 }, stderr: null });
  expect(await read()).toEqual({ state: 'running', text: 'head', offset: 0 });
  expect(await read({ offset: 4 })).toEqual({ state: 'ended', text: 'tail', offset: 96 });
  expect(await read({ offset: 98 })).toEqual({ state: 'ended', text: 'il', offset: 98 });
  expect(await read({ offset: 100 })).toMatchObject({ state: 'ended', text: '' });
});
