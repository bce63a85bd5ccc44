import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from '@jest/globals';
import type { MillraceClient, Run } from '@millrace/client';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { followRun } from './follow-run.js';
import { liveTree } from './live-tree.js';
import { plainLines } from './plain-lines.js';

const REASONS = ['exit code 4', 'exit code 5', 'exit code 6'];
const BURST: SubjobStatus[] = ['PENDING', 'RUNNING', 'PENDING', 'RUNNING', 'FAILED'];

/** A server whose node fails three times before the client requests the next list of the nodes. */
function serverWithRetries(): MillraceClient {
  let [status, attempt]: [SubjobStatus, number] = ['PENDING', 1];
  const move = (next: SubjobStatus) => {
    if (next === 'PENDING') attempt += 1;
    status = next;
    const change = { subject: '1', node: 'a-1', status, at: new Date(0).toISOString() };
    return { type: 'change', seq: 1, change } as const;
  };
  const record = () => ({
    ...{ id: '1', run: '1', node: 'a-1', label: 'a', status, attempt, max_attempts: 3, params: {} },
    ...{ outputs_status: 'NONE', cached: false, execution_units: 0 },
    message:
      status === 'PENDING' ? `attempt ${attempt - 1} of 3 failed: ${REASONS[attempt - 2]}` : REASONS[attempt - 1],
  });
  return {
    subjobs: {
      list: async function* () {
        yield await Promise.resolve(record());
      },
      get: () => {
        const attempts = REASONS.map((message, index) => ({ attempt: index + 1, status: 'FAILED', message }));
        return Promise.resolve({ ...record(), attempts: attempts.slice(0, attempt) });
      },
    },
    runs: {
      get: () => Promise.resolve({ id: '1', status: 'FAILED' }),
      events: async function* () {
        yield move('RUNNING');
        await sleep(20);
        for (const next of BURST) yield move(next);
        yield { type: 'end', status: 'FAILED' };
      },
    },
  } as unknown as MillraceClient;
}

const run = { id: '1', status: 'RUNNING' } as Run;
const RETRIES = ['a-1 RETRY attempt 1 of 3 failed: exit code 4', 'a-1 RETRY attempt 2 of 3 failed: exit code 5'];

it('plain lines show every retry once and in order, even if attempts fail immediately', async () => {
  const lines: string[] = [];
  const screen = { write: (line: string) => lines.push(line.trim()) };
  await followRun(serverWithRetries(), run, plainLines('Count', screen));
  expect(lines.filter((line) => !line.endsWith(' RUNNING'))).toEqual([
    'Count  FAILED',
    ...RETRIES,
    'a-1 FAILED attempt 3 of 3: exit code 6',
  ]);
});

it('a terminal shows every retry once and in order, even if attempts fail immediately', async () => {
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 24 });
  await followRun(serverWithRetries(), run, liveTree('Count', screen as unknown as WriteStream));
  const lines = stripVTControlCharacters(String(screen.read())).split('\n');
  expect(lines.filter((line) => line.includes('RETRY')).map((line) => line.trim())).toEqual(RETRIES);
});
