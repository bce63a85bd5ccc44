import type { Step } from '@millrace/graph/plan/plan';
import { createCounter, createHistogram } from '@millrace/telemetry/metrics/registry';
import type { StepOutcome } from '../steps/run-step.js';

/** Steps take from milliseconds to hours. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];

const durations = createHistogram(
  'millrace_step_duration_seconds',
  'Duration of executed steps, with their inputs and outputs',
  ['kind', 'size', 'outcome'],
  BUCKETS,
);
const cached = createCounter('millrace_steps_cached_total', 'Steps that reused the result of an earlier run', ['kind']);

/** Measures a step that was executed. `platform_failed`: it was not at fault, and runs again. */
export function measureStep({ program, size }: Step, outcome: StepOutcome, startedAt: number): void {
  const labels = { kind: program.kind, size, outcome: outcome.platformFailed ? 'platform_failed' : outcome.outcome };
  durations.observe(labels, Math.max(0, Date.now() - startedAt) / 1000);
}

export const countCachedStep = ({ program }: Step): void => cached.inc({ kind: program.kind });
