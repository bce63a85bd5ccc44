/** An address, or a network with the bits of its prefix. */
export interface Inet {
  /** 4 bytes or 16. */
  bytes: number[];
  /** Length of the prefix; all bits for one address. */
  bits: number;
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const BITS = /^\d{1,3}$/;

/** Reads `10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`, `::ffff:1.2.3.4` (RFC 4291, 4632); null where it is none of these. */
export function readInet(text: string): Inet | null {
  if (text.length > 60) return null;
  const slash = text.indexOf('/');
  const bytes = readAddress(slash === -1 ? text : text.slice(0, slash));
  if (bytes === null) return null;
  const all = bytes.length * 8;
  if (slash === -1) return { bytes, bits: all };
  const bits = text.slice(slash + 1);
  return BITS.test(bits) && Number(bits) <= all ? { bytes, bits: Number(bits) } : null;
}

/** One spelling of each, which Postgres reads. */
export function formatInet({ bytes, bits }: Inet): string {
  const address = bytes.length === 4 ? bytes.join('.') : groupsOf(bytes).join(':');
  return bits === bytes.length * 8 ? address : `${address}/${bits}`;
}

/** Whether the second is the first, or a part of it. */
export const containsInet = (network: Inet, part: Inet): boolean =>
  network.bytes.length === part.bytes.length &&
  part.bits >= network.bits &&
  compareBits(network.bytes, part.bytes, network.bits) === 0;

/** The order of Postgres: IPv4 first, then by the bits that both prefixes have, by length of prefix, by address. */
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

function readAddress(text: string): number[] | null {
  return text.includes(':') ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): number[] | null {
  const bytes = IPV4.exec(text)?.slice(1).map(Number);
  return bytes?.every((byte) => byte < 256) ? bytes : null;
}

function readIpv6(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, at) => readGroups(half, at === halves.length - 1));
  if (head == null || tail === null) return null;
  if (tail === undefined) return head.length === 16 ? head : null;
  const missing = 16 - head.length - tail.length;
  return missing < 2 ? null : [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** The last group of an address may be IPv4. */
function readGroups(text: string, isLast: boolean): number[] | null {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [at, group] of groups.entries()) {
    const four = isLast && at === groups.length - 1 ? readIpv4(group) : null;
    if (four === null && !GROUP.test(group)) return null;
    const value = parseInt(group, 16);
    bytes.push(...(four ?? [value >> 8, value & 255]));
  }
  return bytes.length > 16 ? null : bytes;
}

const groupsOf = (bytes: number[]): string[] =>
  Array.from({ length: 8 }, (_, at) => ((bytes[at * 2]! << 8) | bytes[at * 2 + 1]!).toString(16));
