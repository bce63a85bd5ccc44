import { expect, it } from '@jest/globals';
import { restOperations } from '@millrace/contracts/registry';
import { MillraceClient } from './client.js';

/** Operations without a method. */
const WITHOUT_METHOD = [
  'billing.stripeEvents.take: only Stripe sends it, signed with the secret of the payment provider',
];

it('the client has a method for every operation of the contract', () => {
  const client = new MillraceClient({ baseUrl: 'http://127.0.0.1:1' }) as unknown as Record<
    string,
    Record<string, unknown>
  >;
  const missing = restOperations.filter(({ clientMethod }) => {
    const [resource = '', method = ''] = clientMethod.split('.');
    return typeof client[resource]?.[method] !== 'function';
  });
  expect(missing.map(({ name }) => name)).toEqual(WITHOUT_METHOD.map((line) => line.split(':')[0]));
});

it('no two operations have the same method, and none replaces a member of the client', () => {
  const names = restOperations.map(({ clientMethod }) => clientMethod);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const resources = names.map((name) => name.split('.')[0] ?? '');
  expect(resources.filter((name) => name in MillraceClient.prototype || name === 'baseUrl')).toEqual([]);
});
