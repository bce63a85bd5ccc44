import { type Inet } from '../values/inet.js';

/** Whether `part` is equal to `network` or inside of it, as `<<=` in Postgres. */
export const containsInet = (network: Inet, part: Inet): boolean =>
  network.bytes.length === part.bytes.length &&
  part.bits >= network.bits &&
  compareBits(network.bytes, part.bytes, network.bits) === 0;

/** Compares in the order of Postgres: IPv4 first, then by the common prefix, by length of the prefix, by address. */
export function compareInet(one: Inet, other: Inet): number {
  if (one.bytes.length !== other.bytes.length) return one.bytes.length - other.bytes.length;
  return (
    compareBits(one.bytes, other.bytes, Math.min(one.bits, other.bits)) ||
    one.bits - other.bits ||
    compareBits(one.bytes, other.bytes, one.bytes.length * 8)
  );
}

function compareBits(one: number[], other: number[], bits: number): number {
  for (let at = 0; at * 8 < bits; at += 1) {
    const unused = Math.max(0, (at + 1) * 8 - bits);
    const difference = (one[at]! >> unused) - (other[at]! >> unused);
    if (difference !== 0) return difference;
  }
  return 0;
}
