import dns, { type LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import type { AllowList } from './allow-list.js';
import { findInHosts } from './find-in-hosts.js';
import type { Resolve } from './guarded-lookup.js';
import { SystemLookups } from './system-lookups.js';

const HOSTS = '/etc/hosts';

/**
 * Asks the hosts file and DNS without a thread, so that names whose servers do not answer hold up no others. Only names that the
 * operator has allowed are looked up as the machine does it where DNS does not know them, as those below a search domain.
 * @param servers in place of those of the machine
 */
export function resolveOffThread(allowed: AllowList, servers?: readonly string[]): Resolve {
  const system = new SystemLookups();
  const find = async (host: string): Promise<LookupAddress[]> => {
    const own = findInHosts(await readFile(HOSTS, 'utf8').catch(() => ''), host);
    if (own.length > 0) return own;
    return askDns(host, servers).catch((error: unknown) => {
      if (isUnknown(error) && allowed.names(host)) return system.ask(host);
      throw error;
    });
  };
  return (host, callback) =>
    void find(host).then(
      (found) => callback(null, found),
      (error: unknown) => callback(error as Error, []),
    );
}

async function askDns(host: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new dns.promises.Resolver({ timeout: 3_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const outcomes = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = outcomes.flatMap((outcome, at) => toAddresses(outcome, at === 0 ? 4 : 6));
  if (found.length > 0) return found;
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
  throw reasons.find((reason) => !isUnknown(reason)) ?? reasons[0] ?? new Error(`${host} has no address`);
}

const toAddresses = (outcome: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];

const isUnknown = (reason: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(String((reason as { code?: unknown }).code));
