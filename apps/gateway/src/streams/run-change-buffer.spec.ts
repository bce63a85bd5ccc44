import { describe, expect, it } from '@jest/globals';
import type { StatusChange } from '@millrace/contracts/runs/runs';
import { RunChangeBuffer } from './run-change-buffer.js';

const change = (status: StatusChange['status']): StatusChange => ({
  subject: '1',
  status,
  at: '2026-01-01T00:00:00.000Z',
});
const signal = (seq: number, number: number, status: StatusChange['status'] & ('RUNNING' | 'STOPPED') = 'RUNNING') => ({
  run: '7',
  seq,
  changes: Array.from({ length: number }, () => change('RUNNING')),
  status,
});
const seqs = (buffer: RunChangeBuffer, after: number) => buffer.takeAfter(after)?.changes.map(({ seq }) => seq);

describe('buffered changes of a run', () => {
  it('are returned in one gapless sequence', () => {
    const buffer = new RunChangeBuffer();
    buffer.add(signal(2, 2));
    buffer.add(signal(5, 3, 'STOPPED'));
    expect(buffer.takeAfter(0)).toMatchObject({ changes: [1, 2, 3, 4, 5].map((seq) => ({ seq })), status: 'STOPPED' });
    expect(buffer.takeAfter(5)).toBeNull();
  });

  it('leave out changes that the reader has already received', () => {
    const buffer = new RunChangeBuffer();
    buffer.add(signal(3, 3));
    expect(seqs(buffer, 2)).toEqual([3]);
  });

  it('are not returned if one is missing or a signal came without its changes', () => {
    const buffer = new RunChangeBuffer();
    buffer.add(signal(9, 2));
    expect(buffer.takeAfter(3)).toBeNull();
    buffer.add({ run: '7', seq: 4, changes: null, status: 'RUNNING' });
    expect(buffer.takeAfter(3)).toBeNull();
  });

  it('do not pile up for a slow reader', () => {
    const buffer = new RunChangeBuffer();
    for (let at = 1; at <= 30; at++) buffer.add(signal(at * 50, 50));
    expect(buffer.takeAfter(0)).toBeNull();
  });

  it('wake the reader, even if they arrived before it waits', async () => {
    const buffer = new RunChangeBuffer();
    buffer.add(signal(1, 1));
    await buffer.wait(60_000);
    const wait = buffer.wait(60_000);
    buffer.add(signal(2, 1));
    await wait;
    expect(seqs(buffer, 0)).toEqual([1, 2]);
  });
});
