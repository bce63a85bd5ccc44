import { describe, expect, it } from '@jest/globals';
import type { KnownFleet } from '../workers/fleet-routes.js';
import { describeReady } from './describe-ready.js';

const fleet = (name: string, more: Partial<KnownFleet> = {}): KnownFleet => ({
  ...{ name, labels: {}, sizes: ['small'], slots: 2, isLive: true },
  ...more,
});
const GPU = JSON.stringify([null, [['gpu', 'true']], ['large']]);

describe('ready subjobs wait', () => {
  it('for a slot if a fleet with workers has what they require', () => {
    const fleets = [fleet('default'), fleet('gpu', { labels: { gpu: 'true' }, sizes: ['large'] })];
    expect(
      describeReady(
        [
          { key: GPU, count: 3 },
          { key: null, count: 1 },
        ],
        fleets,
      ),
    ).toEqual([
      { reason: 'slots', count: 1 },
      { reason: 'slots', count: 3, requires: { labels: { gpu: 'true' }, sizes: ['large'] } },
    ]);
  });

  it.each<[string, KnownFleet[], string[] | undefined]>([
    ['that no fleet has', [fleet('default')], ['size large', 'gpu=true']],
    ['of which one thing is missing', [fleet('default', { sizes: ['large'] })], ['gpu=true']],
    [
      'that no single fleet has together',
      [fleet('default', { sizes: ['large'] }), fleet('gpu', { labels: { gpu: 'true' } })],
      ['size large', 'gpu=true'],
    ],
    [
      'that a fleet without workers has',
      [fleet('gpu', { labels: { gpu: 'true' }, sizes: ['large'], slots: 0 })],
      undefined,
    ],
  ])('for a worker that has something %s', (_, fleets, missing) => {
    const [waiting] = describeReady([{ key: GPU, count: 1 }], fleets);
    expect(waiting).toMatchObject({ reason: 'workers', requires: { sizes: ['large'] } });
    expect(waiting?.missing).toEqual(missing);
  });
});
