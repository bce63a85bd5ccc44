import ipaddr from 'ipaddr.js';

/** An address, or a network with the length of its prefix. */
export interface Inet {
  /** 4 or 16 bytes. */
  bytes: number[];
  /** Length of the prefix in bits; 32 or 128 for one address. */
  bits: number;
}

const MAX_TEXT_LENGTH = 60;
const PREFIX_LENGTH = /^\d{1,3}$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** One group of an IPv6 address; empty beside `::`. */
const GROUP = /^[0-9a-f]{0,4}$/i;
/** `::` replaces at least one group. */
const MAX_GROUPS_BESIDE_GAP = 7;

/**
 * Reads `10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32` or `::ffff:1.2.3.4` (RFC 4291, 4632) as Postgres reads an inet. Returns null
 * for all other texts, including the short and octal forms that `ipaddr.js` accepts.
 */
export function readInet(text: string): Inet | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const slash = text.indexOf('/');
  const bytes = readAddress(slash === -1 ? text : text.slice(0, slash));
  if (bytes === null) return null;
  const maxBits = bytes.length * 8;
  if (slash === -1) return { bytes, bits: maxBits };
  const bits = text.slice(slash + 1);
  return PREFIX_LENGTH.test(bits) && Number(bits) <= maxBits ? { bytes, bits: Number(bits) } : null;
}

/** Formats an address or network in one canonical form, which Postgres reads. */
export function formatInet({ bytes, bits }: Inet): string {
  const address = ipaddr.fromByteArray(bytes).toNormalizedString();
  return bits === bytes.length * 8 ? address : `${address}/${bits}`;
}

const readAddress = (text: string): number[] | null => (text.includes(':') ? readIpv6(text) : readIpv4(text));

/** Postgres reads leading zeros as decimal, `ipaddr.js` reads them as octal. */
function readIpv4(text: string): number[] | null {
  const decimal = IPV4.test(text) ? text.replaceAll(/\b0+(?=\d)/g, '') : '';
  return ipaddr.IPv4.isValid(decimal) ? ipaddr.IPv4.parse(decimal).toByteArray() : null;
}

function readIpv6(text: string): number[] | null {
  const hex = text.includes('.') ? replaceEmbeddedIpv4(text) : text;
  const groups = hex.split(':');
  if (!groups.every((group) => GROUP.test(group))) return null;
  const count = groups.filter((group) => group !== '').length;
  if (hex.includes('::') && count > MAX_GROUPS_BESIDE_GAP) return null;
  return ipaddr.IPv6.isValid(hex) ? ipaddr.IPv6.parse(hex).toByteArray() : null;
}

/** Writes an IPv4 address at the end of an IPv6 address as two groups. */
function replaceEmbeddedIpv4(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const [a, b, c, d] = readIpv4(text.slice(start)) ?? [];
  if (a === undefined) return text;
  return `${text.slice(0, start)}${((a << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`;
}
