import { describe, expect, it } from '@jest/globals';
import { stopTimeoutOf } from './stop-timeout.mjs';

describe('the stop timeout', () => {
  it.each(['worker', 'single'])('of %s is longer than its running steps may continue', (service) => {
    expect(stopTimeoutOf(service, { WORKER_DRAIN_SECONDS: '300' })).toBeGreaterThan(300_000);
    expect(stopTimeoutOf(service, {})).toBeGreaterThan(10_000);
  });

  it('of another service does not depend on the workers', () => {
    expect(stopTimeoutOf('runs', { WORKER_DRAIN_SECONDS: '300' })).toBe(15_000);
  });
});
