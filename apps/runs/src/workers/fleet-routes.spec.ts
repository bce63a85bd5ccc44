import { describe, expect, it } from '@jest/globals';
import { readRequirement } from '@millrace/graph/plan/placement';
import { findFleets, listRoutes, type KnownFleet } from './fleet-routes.js';
import { toFleets } from './read-fleets.js';

const fleet = (name: string, more: Partial<KnownFleet> = {}): KnownFleet => ({
  ...{ name, labels: {}, sizes: ['small', 'large'], slots: 2, isLive: true },
  ...more,
});
const key = (labels: Record<string, string>, sizes = ['small'], of: string | null = null) =>
  JSON.stringify([of, Object.entries(labels), sizes]);
const namesFor = (fleets: KnownFleet[], required: string | null) =>
  findFleets(fleets, readRequirement(required)).map(({ name }) => name);

describe('a step', () => {
  const fleets = [fleet('default', { sizes: ['small'] }), fleet('gpu', { labels: { gpu: 'true', zone: 'eu' } })];

  it.each([
    ['that asks for nothing runs in the fleet `default`', null, ['default']],
    ['whose size `default` does not have runs in another fleet', key({}, ['large']), ['gpu']],
    ['runs where all of its labels are', key({ gpu: 'true', zone: 'eu' }), ['gpu']],
    ['runs nowhere if a label has another value', key({ gpu: 'true', zone: 'us' }), []],
    ['runs in the fleet that it names', key({}, ['small'], 'gpu'), ['gpu']],
    ['runs nowhere if the fleet that it names lacks something', key({ gpu: 'true' }, ['small'], 'default'), []],
  ])('%s', (_, required, expected) => expect(namesFor(fleets, required)).toEqual(expected));
});

describe('routes', () => {
  it('have no filter as long as no run requires anything', () => {
    expect(listRoutes({ fleets: [fleet('default')], keys: [] })).toMatchObject([
      { fleet: 'default', depth: 2, filter: null },
    ]);
  });

  it('leave out fleets without free workers, and those that no task needs', () => {
    const fleets = [fleet('default', { slots: 0 }), fleet('idle', { labels: { a: 'b' } })];
    expect(listRoutes({ fleets, keys: [] })).toEqual([]);
  });

  it('fill the slots of all fleets that may run the same before the places behind them', () => {
    const gpu = { labels: { gpu: 'true' } };
    const fleets = [fleet('one', gpu), fleet('two', { ...gpu, slots: 3 })];
    const routes = listRoutes({ fleets, keys: [key({ gpu: 'true' })] });
    expect(routes.map(({ fleet: name, depth }) => `${name} ${depth}`)).toEqual(['two 1', 'one 1', 'two 2', 'one 2']);
  });
});

it('a fleet whose workers differ offers what they have in common', () => {
  const group = { fleet: 'f', slots: 1 };
  const groups = [
    { ...group, labels: { a: '1', b: '2' }, sizes: ['small', 'large'] },
    { ...group, labels: { a: '1', b: '3' }, sizes: ['small'] },
  ];
  expect(toFleets(groups, [{ name: 'f', labels: {}, sizes: [] }])).toEqual([
    { name: 'f', labels: { a: '1' }, sizes: ['small'], slots: 2, isLive: true },
  ]);
});
