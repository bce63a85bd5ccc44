import type { Plan } from '@millrace/graph/plan/plan';

/** What is known about the executions of a step. */
export interface StepForecast {
  /** Executions that the cache does not save; null if unknown. */
  executions: number | null;
  /** Of one execution; null without history. */
  durationMs: number | null;
  units: number | null;
}

export interface RunEstimate {
  durationMs: number | null;
  units: number | null;
  /** Indexes of the steps that prevent an estimate. */
  unknown: number[];
}

/**
 * Estimates a run: a segment starts when all segments that it needs have ended, and its executions run in waves of
 * `parallelism`. The run takes as long as the longest path, and at least as long as all work divided by `parallelism`. The
 * model ignores the time for dispatches, and that children of a chain overlap. Approvals and splits count as nothing.
 */
export function estimateRun(
  { segments, steps }: Plan,
  forecastOf: (step: number) => StepForecast,
  parallelism: number,
): RunEstimate {
  const unknown: number[] = [];
  const ends: number[] = [];
  let [work, units] = [0, 0];
  for (const segment of segments) {
    let waves = 0;
    for (const index of segment.steps) {
      const kind = steps[index]?.program.kind;
      if (kind === 'split' || kind === 'approval') continue;
      const { executions, durationMs, units: cost } = forecastOf(index);
      if (executions === 0) continue;
      if (executions === null || durationMs === null || cost === null) {
        unknown.push(index);
        continue;
      }
      waves += Math.ceil(executions / parallelism) * durationMs;
      work += executions * durationMs;
      units += executions * cost;
    }
    const start = segment.needs.reduce((latest, need) => Math.max(latest, ends[need.segment] ?? 0), 0);
    ends.push(start + waves);
  }
  if (unknown.length > 0) return { durationMs: null, units: null, unknown };
  const lastEnd = ends.reduce((latest, end) => Math.max(latest, end), 0);
  return { durationMs: Math.round(Math.max(lastEnd, work / parallelism)), units: Math.round(units), unknown };
}
