import type { LookupAddress } from 'node:dns';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { SystemLookups } from './system-lookups.js';

it('SystemLookups runs one lookup at a time, shares it among concurrent callers, and continues after a failure', async () => {
  const begun: { host: string; end: PromiseWithResolvers<LookupAddress[]> }[] = [];
  const lookups = new SystemLookups((host) => {
    const end = Promise.withResolvers<LookupAddress[]>();
    begun.push({ host, end });
    return end.promise;
  });
  const results = ['one', 'one', 'two'].map((host) => lookups.lookUpOnce(host).catch((error: Error) => error.message));
  await turn();
  expect(begun.map(({ host }) => host)).toEqual(['one']);
  begun[0]?.end.reject(new Error('not there'));
  await turn();
  expect(begun.map(({ host }) => host)).toEqual(['one', 'two']);
  begun[1]?.end.resolve([{ address: '10.0.0.1', family: 4 }]);
  expect(await Promise.all(results)).toEqual(['not there', 'not there', [{ address: '10.0.0.1', family: 4 }]]);
  void lookups.lookUpOnce('one');
  await turn();
  expect(begun.map(({ host }) => host)).toEqual(['one', 'two', 'one']);
});
