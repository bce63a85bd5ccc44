import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost, type AllowList } from './allow-list.js';
import { EgressRefusedError } from './egress-error.js';

/** Asks for all addresses of a name. */
export type Resolve = (host: string, callback: (error: Error | null, found: dns.LookupAddress[]) => void) => void;

const resolveByDns: Resolve = (host, callback) => dns.lookup(host, { all: true }, callback);

/**
 * Resolves names for a connection, which is then made to the very addresses that were checked here: a name that answers
 * otherwise a moment later (DNS rebinding) gains nothing. A name with one address that is not allowed is refused as a whole.
 * Sockets ask this for names only; what is an address already goes through `refuseAddress`.
 */
export function guardedLookup(allowed: AllowList, resolve: Resolve = resolveByDns): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, found) => {
      if (error) return callback(error, []);
      const refused = found.find(({ address }) => !allowed.allows(address, host));
      if (refused) return callback(sayRefused(host), []);
      const [first] = found;
      if (!first) return callback(new Error(`${host} has no address`), []);
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** Why a host must not be connected to, where it is an address; null where it may, or is a name. */
export function refuseAddress(host: string, allowed: AllowList): EgressRefusedError | null {
  const bare = bareHost(host);
  return isIP(bare) === 0 || allowed.allows(bare, bare) ? null : sayRefused(bare);
}

const sayRefused = (host: string): EgressRefusedError =>
  new EgressRefusedError(
    `${host} is not an address of the public internet; the operator may allow it with EGRESS_ALLOW`,
  );
