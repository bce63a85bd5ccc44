import { expect, it } from '@jest/globals';
import type { LockedRun } from './locked-run.js';
import { logRun } from './log-run.js';

const startedAt = new Date(1_000);
const row = {
  vaultId: 'v',
  workflowId: 'w',
  requestId: 'r',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  startedAt,
  status: 'RUNNING',
};

function linesOf(run: object): unknown[] {
  const lines: unknown[] = [];
  const write = (level: string) => (fields: object) => lines.push({ level, ...fields });
  logRun({ log: write('info'), debug: write('debug') }, { id: 7n, error: null, startedAt, row, ...run } as LockedRun);
  return lines;
}

const fields = {
  runId: '7',
  vault: 'v',
  workflow: 'w',
  requestId: 'r',
  traceId: '0af7651916cd43dd8448eb211c80319c',
};

it('the end of a run is one line with its request, vault, trace and duration', () => {
  const finishedAt = new Date(3_500);
  expect(linesOf({ status: 'FAILED', finishedAt, error: 'exit code 1' })).toEqual([
    {
      level: 'info',
      message: 'Run finished',
      ...fields,
      from: 'RUNNING',
      status: 'FAILED',
      durationMs: 2_500,
      hasError: true,
    },
  ]);
});

it('the start of a run is one line at level info, and its new status one at level debug', () => {
  expect(linesOf({ status: 'RUNNING', row: { ...row, startedAt: null, status: 'SUBMITTED' } })).toEqual([
    { level: 'info', message: 'Run started', ...fields },
    { level: 'debug', message: 'Run status changed', ...fields, from: 'SUBMITTED', status: 'RUNNING' },
  ]);
});
