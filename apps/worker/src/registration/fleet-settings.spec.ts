import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fleetSettings } from './fleet-settings.js';

const read = (env: Record<string, string>) => z.object(fleetSettings).safeParse(env);

describe('the settings of a fleet', () => {
  it('are the fleet `default` with all sizes and no labels if none is set', () => {
    expect(read({}).data).toEqual({
      WORKER_FLEET: 'default',
      WORKER_LABELS: {},
      WORKER_SIZES: ['small', 'medium', 'large'],
    });
  });

  it('are lists, with spaces and in any order', () => {
    expect(read({ WORKER_LABELS: 'gpu=true, zone=eu', WORKER_SIZES: 'large,small' }).data).toMatchObject({
      WORKER_LABELS: { gpu: 'true', zone: 'eu' },
      WORKER_SIZES: ['small', 'large'],
    });
  });

  it.each([
    { WORKER_LABELS: 'executor=docker' },
    { WORKER_LABELS: 'gpu' },
    { WORKER_LABELS: 'gpu=' },
    { WORKER_SIZES: 'huge' },
    { WORKER_FLEET: 'A b' },
  ])('are refused if a worker cannot have them: %j', (env) => expect(read(env).success).toBe(false));
});
