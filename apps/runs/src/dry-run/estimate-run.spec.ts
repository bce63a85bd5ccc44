import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw, drawChain } from '@millrace/graph/testing/draw-workflow';
import { estimateRun, type StepForecast } from './estimate-run.js';

const once = (durationMs: number, units = 1): StepForecast => ({ executions: 1, durationMs, units });
const all = (forecast: StepForecast) => () => forecast;

describe('the estimate of a run', () => {
  it('adds the steps of a chain', () => {
    expect(estimateRun(compilePlan(drawChain(4).data(), {}), all(once(100, 2)), 1)).toEqual({
      ...{ durationMs: 400, units: 8, unknown: [] },
    });
  });

  it('takes the longest path of steps that run at the same time, and all work if only one may run', () => {
    const plan = compilePlan(draw().script('a-1').script('b-1').script('c-1').data(), {});
    const forecast = (index: number) => once([100, 300, 200][index] ?? 0);
    expect(estimateRun(plan, forecast, 3).durationMs).toBe(300);
    expect(estimateRun(plan, forecast, 1).durationMs).toBe(600);
    expect(estimateRun(plan, forecast, 2).durationMs).toBe(300);
  });

  const split = compilePlan(
    draw()
      .script('list-1')
      .script('each-1', {}, { distribution: { input: 'file', mode: 'line' } })
      .script('all-1')
      .wire('list-1.file', 'each-1.file')
      .wire('each-1.folder', 'all-1.folder')
      .data(),
    {},
  );
  const childrenOf = (executions: number | null) => (index: number) =>
    split.steps[index]?.node === 'each-1' ? { executions, durationMs: 100, units: 3 } : once(10);

  it('runs children in waves, and counts the cost of each', () => {
    expect(estimateRun(split, childrenOf(10), 4)).toMatchObject({ durationMs: 320, units: 32 });
    expect(estimateRun(split, childrenOf(10), 100)).toMatchObject({ durationMs: 120, units: 32 });
    expect(estimateRun(split, childrenOf(0), 4)).toMatchObject({ durationMs: 20, units: 2 });
  });

  it('is unknown if a step that runs has no history, or an unknown number of children', () => {
    const each = split.steps.findIndex(({ node, type }) => node === 'each-1' && type !== 'SPLIT');
    expect(estimateRun(split, childrenOf(null), 4)).toEqual({ durationMs: null, units: null, unknown: [each] });
    const none = { executions: 1, durationMs: null, units: null };
    expect(estimateRun(compilePlan(drawChain(2).data(), {}), all(none), 1).unknown).toEqual([0, 1]);
  });

  it('does not need the history of a step that the cache saves', () => {
    const saved = { executions: 0, durationMs: null, units: null };
    expect(estimateRun(compilePlan(drawChain(2).data(), {}), all(saved), 1)).toEqual({
      ...{ durationMs: 0, units: 0, unknown: [] },
    });
  });
});
