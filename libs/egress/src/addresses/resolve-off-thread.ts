import dns, { type LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { AllowList } from './allow-list.js';
import type { Resolve } from './guarded-lookup.js';

const HOSTS = '/etc/hosts';

/**
 * Resolves names by the hosts file and DNS without a thread, so an unresponsive name server does not delay other names.
 * If DNS does not contain a name that the operator has allowed, the machine resolves it, for example by its search
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

/** Finds the addresses of a name in the text of a hosts file (hosts(5)), in order. */
export function findInHosts(text: string, host: string): LookupAddress[] {
  const searchedName = host.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((name) => name.toLowerCase() === searchedName) ? [{ address, family }] : [];
  });
}

/**
 * Resolves names like other programs of the machine (`getaddrinfo`), including search domains. A lookup occupies one of
 * the four threads of the process while a server is slow (libuv, "Thread pool work scheduling"), so lookups run one at
 * a time, and once per name.
 */
export class SystemLookups {
  private readonly pending = new Map<string, Promise<LookupAddress[]>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly lookUp = lookUpAll) {}

  lookUpOnce(host: string): Promise<LookupAddress[]> {
    const existing = this.pending.get(host);
    if (existing) return existing;
    const lookup = this.last.then(() => this.lookUp(host)).finally(() => this.pending.delete(host));
    this.pending.set(host, lookup);
    this.last = lookup.catch(() => undefined);
    return lookup;
  }
}

const lookUpAll = (host: string): Promise<LookupAddress[]> => dns.promises.lookup(host, { all: true });
