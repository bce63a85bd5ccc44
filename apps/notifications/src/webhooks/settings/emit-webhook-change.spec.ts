import { expect, it } from '@jest/globals';
import type { Webhook } from '@millrace/persistence/generated/client';
import { changedFields } from './emit-webhook-change.js';

const before = {
  name: 'CI',
  url: new Uint8Array([1]),
  events: ['run.failed'],
  workflowId: null,
  spaceId: 's',
  enabled: true,
};
const change = (after: Partial<Webhook>) =>
  changedFields(before as unknown as Webhook, { ...before, ...after } as Webhook);

it('the changed fields have the names of the contract', () => {
  const same = { name: 'CI', url: new Uint8Array([1]), events: ['run.failed'] };
  expect(change({ ...same, modifiedAt: new Date() })).toEqual([]);
  expect(change({ url: new Uint8Array([2]), events: ['run.failed', 'run.stopped'] })).toEqual(['url', 'events']);
  expect(change({ workflowId: 'w', spaceId: null, enabled: false })).toEqual(['enabled', 'workflow', 'space']);
});
