import { describe, expect, it } from '@jest/globals';
import { draw } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';
import { readRequirement, requirementKey } from './placement.js';

const chain = (first: object, second: object) =>
  compilePlan(draw().script('a-1', {}, first).script('b-1', {}, second).wire('a-1.file', 'b-1.file').data(), {});
const keysOf = ({ steps, segments }: ReturnType<typeof chain>) =>
  segments.map((segment) => requirementKey(steps, segment));

describe('a chain', () => {
  it.each([
    [{ bee_type: 'small' }, { bee_type: 'large' }],
    [{ labels: { gpu: 'true' } }, {}],
    [{ fleet: 'a' }, { fleet: 'b' }],
  ])('is cut between %j and %j, which may need different workers', (first, second) => {
    const keys = keysOf(chain(first, second));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
  });

  it('stays one segment if all of its steps need the same, in any order of the labels', () => {
    const plan = chain({ labels: { a: '1', b: '2' }, fleet: 'x' }, { fleet: 'x', labels: { b: '2', a: '1' } });
    expect(plan.format).toBe(4);
    expect(keysOf(plan).map(readRequirement)).toEqual([{ fleet: 'x', labels: { a: '1', b: '2' }, sizes: ['small'] }]);
  });

  it('has no requirement if its steps are small and run anywhere', () => {
    expect(keysOf(chain({}, { labels: {} }))).toEqual([null]);
  });
});

it('the labels and the fleet of a module hold for its nodes, whose own come first', () => {
  const module = draw()
    .script('a-1', {}, { labels: { zone: 'us' } })
    .script('b-1', {}, { fleet: 'own' });
  const data = draw()
    .module('m-1', 'm', {}, { fleet: 'outer', labels: { zone: 'eu', gpu: 'true' } })
    .data();
  const { steps } = compilePlan(data, { m: { workflow_id: 'w', data: module.data() } });
  expect(steps.map(({ fleet, labels }) => ({ fleet, labels }))).toEqual([
    { fleet: 'outer', labels: { gpu: 'true', zone: 'us' } },
    { fleet: 'own', labels: { gpu: 'true', zone: 'eu' } },
  ]);
});
