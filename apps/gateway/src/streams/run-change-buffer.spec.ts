import { describe, expect, it } from '@jest/globals';
import type { StatusChange } from '@millrace/contracts/runs/runs';
import { ChangeInbox } from './run-change-buffer.js';

const change = (status: StatusChange['status']): StatusChange => ({
  subject: '1',
  status,
  at: '2026-01-01T00:00:00.000Z',
});
const told = (seq: number, number: number, status: StatusChange['status'] & ('RUNNING' | 'STOPPED') = 'RUNNING') => ({
  run: '7',
  seq,
  changes: Array.from({ length: number }, () => change('RUNNING')),
  status,
});
const seqs = (inbox: ChangeInbox, after: number) => inbox.takeAfter(after)?.changes.map(({ seq }) => seq);

describe('changes that came with their signal', () => {
  it('follow on each other', () => {
    const inbox = new ChangeInbox();
    inbox.put(told(2, 2));
    inbox.put(told(5, 3, 'STOPPED'));
    expect(inbox.takeAfter(0)).toMatchObject({ changes: [1, 2, 3, 4, 5].map((seq) => ({ seq })), status: 'STOPPED' });
    expect(inbox.takeAfter(5)).toBeNull();
  });

  it('that the reader has already are left out', () => {
    const inbox = new ChangeInbox();
    inbox.put(told(3, 3));
    expect(seqs(inbox, 2)).toEqual([3]);
  });

  it('must be asked for where one is missing, or where they did not come along', () => {
    const inbox = new ChangeInbox();
    inbox.put(told(9, 2));
    expect(inbox.takeAfter(3)).toBeNull();
    inbox.put({ run: '7', seq: 4, changes: null, status: 'RUNNING' });
    expect(inbox.takeAfter(3)).toBeNull();
  });

  it('do not pile up before a slow reader', () => {
    const inbox = new ChangeInbox();
    for (let at = 1; at <= 30; at++) inbox.put(told(at * 50, 50));
    expect(inbox.takeAfter(0)).toBeNull();
  });

  it('wake who waits, also one that came before the wait', async () => {
    const inbox = new ChangeInbox();
    inbox.put(told(1, 1));
    await inbox.wait(60_000);
    const waiting = inbox.wait(60_000);
    inbox.put(told(2, 1));
    await waiting;
    expect(seqs(inbox, 0)).toEqual([1, 2]);
  });
});
