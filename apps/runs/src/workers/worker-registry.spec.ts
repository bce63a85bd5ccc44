import { expect, it } from '@jest/globals';
import { describeLoss, type LostDispatch } from './worker-registry.js';

const loss: LostDispatch = { dispatch: 1n, worker: 'w-1', host: 'h', lastSeen: new Date(0), cause: 'silent' };

it.each<[string, Partial<LostDispatch>]>([
  ['The worker that ran this step (w-1, host h) stopped sending heartbeats at 1970-01-01T00:00:00.000Z', {}],
  ['The worker that ran this step (w-1) stopped sending heartbeats', { host: null, lastSeen: null }],
  ['The worker that ran this step (w-1, host h) ended without notice and was started again', { cause: 'replaced' }],
  ['The worker that ran this step no longer has it', { cause: 'missing', worker: null, host: null }],
])('a loss is described as: %s', (text, more) => {
  expect(describeLoss({ ...loss, ...more })).toBe(text);
});
