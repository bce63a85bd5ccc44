import dns, { type LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import type { AllowList } from './allow-list.js';
import { findInHosts } from './find-in-hosts.js';
import type { Resolve } from './guarded-lookup.js';
import { SystemLookups } from './system-lookups.js';

const HOSTS = '/etc/hosts';

/**
 * Resolves names by the hosts file and DNS without a thread, so an unresponsive name server does not delay other names.
 * If DNS does not know a name that the operator has allowed, the machine resolves it, for example by its search
 * domains.
 * @param servers replace the name servers of the machine
 */
export function resolveOffThread(allowed: AllowList, servers?: readonly string[]): Resolve {
  const system = new SystemLookups();
  const find = async (host: string): Promise<LookupAddress[]> => {
    const local = findInHosts(await readFile(HOSTS, 'utf8').catch(() => ''), host);
    if (local.length > 0) return local;
    return queryDns(host, servers).catch((error: unknown) => {
      if (isNameUnknown(error) && allowed.names(host)) return system.lookUpOnce(host);
      throw error;
    });
  };
  return (host, callback) =>
    void find(host).then(
      (found) => callback(null, found),
      (error: unknown) => callback(error as Error, []),
    );
}

async function queryDns(host: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new dns.promises.Resolver({ timeout: 3_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const outcomes = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = outcomes.flatMap((outcome, index) => toAddresses(outcome, index === 0 ? 4 : 6));
  if (found.length > 0) return found;
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
  throw reasons.find((reason) => !isNameUnknown(reason)) ?? reasons[0] ?? new Error(`The host ${host} has no address`);
}

const toAddresses = (outcome: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];

const isNameUnknown = (reason: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes(String((reason as { code?: unknown }).code));
