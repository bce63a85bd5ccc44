import type { LookupAddress } from 'node:dns';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { SystemLookups, findInHosts } from './resolve-off-thread.js';

const HOSTS = `
127.0.0.1\tlocalhost  # 10.0.0.1 fake
::1 localhost ip6-localhost
# 10.0.0.2 disabled
10.0.0.3 Db.Internal db # both
nonsense db
10.0.0.4
`;

it('findInHosts finds all addresses of any name of a host, ignoring case', () => {
  expect(findInHosts(HOSTS, 'localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  for (const name of ['db', 'db.internal', 'DB'])
    expect(findInHosts(HOSTS, name)).toEqual([{ address: '10.0.0.3', family: 4 }]);
});

it('findInHosts ignores comments and partial names', () => {
  for (const name of ['fake', 'disabled', '10.0.0.4', '', '#']) expect(findInHosts(HOSTS, name)).toEqual([]);
});

it('SystemLookups runs one lookup at a time, shares it among concurrent callers, and continues after a failure', async () => {
  const started: { host: string; end: PromiseWithResolvers<LookupAddress[]> }[] = [];
  const lookups = new SystemLookups((host) => {
    const end = Promise.withResolvers<LookupAddress[]>();
    started.push({ host, end });
    return end.promise;
  });
  const results = ['one', 'one', 'two'].map((host) => lookups.lookUpOnce(host).catch((error: Error) => error.message));
  await nextIteration();
  expect(started.map(({ host }) => host)).toEqual(['one']);
  started[0]?.end.reject(new Error('not there'));
  await nextIteration();
  expect(started.map(({ host }) => host)).toEqual(['one', 'two']);
  started[1]?.end.resolve([{ address: '10.0.0.1', family: 4 }]);
  expect(await Promise.all(results)).toEqual(['not there', 'not there', [{ address: '10.0.0.1', family: 4 }]]);
  void lookups.lookUpOnce('one');
  await nextIteration();
  expect(started.map(({ host }) => host)).toEqual(['one', 'two', 'one']);
});
