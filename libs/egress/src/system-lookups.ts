import dns, { type LookupAddress } from 'node:dns';

/**
 * Look-ups as the machine does them (`getaddrinfo`), search domains included. Each holds one of the process's four threads for as
 * long as a server keeps it waiting (libuv, "Thread pool work scheduling"), so there is one at a time, and one a name.
 */
export class SystemLookups {
  private readonly asked = new Map<string, Promise<LookupAddress[]>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly lookUp = lookUpAll) {}

  ask(host: string): Promise<LookupAddress[]> {
    const known = this.asked.get(host);
    if (known) return known;
    const asking = this.last.then(() => this.lookUp(host)).finally(() => this.asked.delete(host));
    this.asked.set(host, asking);
    this.last = asking.catch(() => undefined);
    return asking;
  }
}

const lookUpAll = (host: string): Promise<LookupAddress[]> => dns.promises.lookup(host, { all: true });
