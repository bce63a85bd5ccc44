import dns, { type LookupAddress } from 'node:dns';

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
