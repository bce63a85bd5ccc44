import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { PlanIndex } from '../engine/plans/plan-index.js';
import { findUnplaced } from './find-unplaced.js';

const GPU = { labels: { gpu: 'true' } };
const plan = new PlanIndex(
  compilePlan(draw().script('a-1').script('b-1', {}, GPU).script('c-1', {}, GPU).data(), {}),
  'hash',
);
const fleet = { name: 'default', labels: {}, sizes: ['small'], slots: 1, isLive: true };

describe('a plan warns', () => {
  it('of the first node of those that require something that no fleet has', () => {
    expect(findUnplaced(plan, [fleet])).toMatchObject([
      { code: 'no_matching_workers', node: 'b-1', message: expect.stringContaining('No fleet has gpu=true.') },
    ]);
  });

  it('of nothing if a connected worker has it', () => {
    expect(findUnplaced(plan, [fleet, { ...fleet, ...GPU, name: 'gpu' }])).toEqual([]);
  });
});
