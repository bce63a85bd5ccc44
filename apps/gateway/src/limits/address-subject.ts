import { isIPv6, SocketAddress } from 'node:net';

/**
 * What a client address is limited as. An IPv6 one by its first 64 bits, for that is the least that one customer gets
 * (RFC 6177): by the whole of it there would be a fresh allowance for each of 2^64 addresses.
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
