import { describe, expect, it } from '@jest/globals';
import { chooseGrant, type Placement } from './choose-grant.js';

const ALLOWED: Placement = { fleet: 'gpu', labels: { gpu: 'true', zone: 'eu' }, sizes: ['small', 'large'] };

describe('a worker that joins', () => {
  it('gets all that the token allows, or the part that it requests', () => {
    expect(chooseGrant(ALLOWED, {})).toEqual(ALLOWED);
    expect(chooseGrant(ALLOWED, { fleet: 'gpu', labels: { zone: 'eu' }, sizes: ['large'] })).toEqual({
      ...{ fleet: 'gpu', labels: { zone: 'eu' }, sizes: ['large'] },
    });
  });

  it.each([
    ['another fleet', { fleet: 'default' }, 'body.fleet'],
    ['another value of a label', { labels: { zone: 'us' } }, 'body.labels'],
    ['an unknown label', { labels: { disk: 'ssd' } }, 'body.labels'],
    ['another size', { sizes: ['medium' as const] }, 'body.sizes'],
  ])('is refused with %s, and the response names the field', (_, requested, field) => {
    expect(() => chooseGrant(ALLOWED, requested)).toThrow(
      expect.objectContaining({
        code: 'validation_error',
        details: { [field]: expect.stringContaining('join token') },
      }),
    );
  });
});
