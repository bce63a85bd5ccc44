import dns, { type LookupAddress } from 'node:dns';
import type { Resolve } from './lookup-outside.js';

/**
 * Asks DNS without a thread. `getaddrinfo` holds one of the process's four until it has an answer (libuv, "Thread pool
 * work scheduling"), so that four names whose servers do not answer would hold up all others, and reading files with them.
 * What DNS does not know it is asked for nevertheless: a name of `/etc/hosts`, or one below a search domain.
 * @param servers in place of those of the machine
 */
export function resolveOffThread(servers?: readonly string[]): Resolve {
  return (host, callback) => {
    const resolver = new dns.promises.Resolver({ timeout: 3_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    void Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]).then(([four, six]) => {
      const found = [...toAddresses(four, 4), ...toAddresses(six, 6)];
      if (found.length > 0) return callback(null, found);
      const unsure = [four, six].find((outcome) => outcome.status === 'rejected' && !isUnknown(outcome.reason));
      if (unsure?.status === 'rejected') return callback(unsure.reason as Error, []);
      dns.lookup(host, { all: true }, callback);
    });
  };
}

const toAddresses = (outcome: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];

const isUnknown = (reason: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(String((reason as { code?: unknown }).code));
