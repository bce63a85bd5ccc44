import { expect, it } from '@jest/globals';
import { findInHosts } from './find-in-hosts.js';

const HOSTS = `
127.0.0.1\tlocalhost  # 10.0.0.1 fake
::1 localhost ip6-localhost
# 10.0.0.2 gone
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
  for (const name of ['fake', 'gone', '10.0.0.4', '', '#']) expect(findInHosts(HOSTS, name)).toEqual([]);
});
