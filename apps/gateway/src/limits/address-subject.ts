import { isIPv6, SocketAddress } from 'node:net';

/**
 * The subject that a client address counts for. IPv6 addresses count by their first 64 bits, the least that one customer
 * gets (RFC 6177): by the full address, one customer would have 2^64 separate allowances.
 */
export function addressSubject(address: string): string {
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%');
  return isIPv6(plain) ? `address ${firstGroups(plain)}` : `address ${plain}`;
}

/** The first four groups, written in full. */
function firstGroups(address: string): string {
  // SocketAddress writes the canonical form: lower case, no leading zeros, at most one `::`.
  const [head = '', tail] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return groups.slice(0, 4).join(':');
}
