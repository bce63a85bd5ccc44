import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { EgressRefusedError } from '../requests/egress-error.js';
import { bareHost, type AllowList } from './allow-list.js';

/** Resolves all addresses of a name. */
export type Resolve = (host: string, callback: (error: Error | null, found: dns.LookupAddress[]) => void) => void;

const resolveByDns: Resolve = (host, callback) => dns.lookup(host, { all: true }, callback);

/**
 * Resolves names for a connection and checks the addresses. The connection uses exactly these addresses, so a name that
 * resolves differently a moment later (DNS rebinding) has no effect. If one address is not allowed, the name is
 * rejected. Sockets call this for names only; `refuseAddress` checks literal addresses.
 */
export function guardedLookup(allowed: AllowList, resolve: Resolve = resolveByDns): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, found) => {
      if (error) return callback(error, []);
      const forbidden = found.find(({ address }) => !allowed.allows(address, host));
      if (forbidden) return callback(createRefusal(host), []);
      const [first] = found;
      if (!first) return callback(new Error(`The host ${host} has no address`), []);
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns why a literal address must not be connected to; null if it is allowed, or is a name. */
export function refuseAddress(host: string, allowed: AllowList): EgressRefusedError | null {
  const bare = bareHost(host);
  return isIP(bare) === 0 || allowed.allows(bare, bare) ? null : createRefusal(bare);
}

const createRefusal = (host: string): EgressRefusedError =>
  new EgressRefusedError(
    `${host} is not an address of the public internet; the operator may allow it with EGRESS_ALLOW`,
  );
