import { expect, it } from '@jest/globals';
import type { RunPlan } from '@millrace/client';
import { formatPlan } from './plan.js';

const step: RunPlan['steps'][number] = {
  ...{ node: 'scan-1', label: 'scan', type: 'SCRIPT', runner: 'bash', after: [], children: 12 },
  cache: { result: 'partial', hits: 5, reason: 'some' },
  estimate: { duration_ms: 65_000, execution_units: 2, runs: 3 },
};
const plan: RunPlan = {
  ...{ workflow: 'w', version: 'v', can_start: true, problems: [], steps_omitted: 0, parallelism: 4 },
  steps: [step, { ...step, node: 'all-1', children: null, cache: { result: 'miss', reason: 'x' }, estimate: null }],
  estimate: { duration_ms: null, execution_units: null, without_estimate: ['all-1'] },
};

it('formatPlan shows each step with its children, cache and estimate', () => {
  const text = formatPlan(plan);
  expect(text).toMatch(/^scan-1 +SCRIPT +12 +partial \(5\) +1 min 5 s +2 +3$/m);
  expect(text).toMatch(/^all-1 +SCRIPT +\? +miss +\? +\? +0$/m);
  expect(text).toContain('No estimate, because no earlier run has executed all-1.\n');
});

it('formatPlan shows the estimate of the run', () => {
  const estimate = { duration_ms: 3_000, execution_units: 24, without_estimate: [] };
  expect(formatPlan({ ...plan, steps_omitted: 7, estimate })).toContain(
    '7 more steps\nThe run takes about 3.0 s and costs 24 units.\n',
  );
});

it('formatPlan begins with the problems that prevent the start', () => {
  const problems: RunPlan['problems'] = [
    { kind: 'input', severity: 'error', code: 'bad_input', port: 'hosts', message: 'Input "hosts" needs a value.' },
    { kind: 'workers', severity: 'warning', code: 'no_workers', message: 'No worker is connected.' },
  ];
  const text = formatPlan({ ...plan, can_start: false, problems });
  expect(text).toMatch(/^Error: field "hosts": Input "hosts" needs a value\.\nWarning: No worker is connected\.\nNODE/);
  expect(text).toMatch(/The run cannot start\.\n$/);
});
