import ipaddr from 'ipaddr.js';

/** Addresses assigned to the internet so far (RFC 4291, section 2.4; IANA registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Prefix of NAT64, which represents the IPv4 internet for hosts without IPv4 (RFC 6052, section 2.1). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True if an address belongs to the public internet: not this machine, no private or local network, no cloud metadata
 * service, no multicast and nothing reserved. An IPv4 address within an IPv6 one (mapped, NAT64) is checked itself.
 * Tunnels to arbitrary IPv4 addresses (6to4, Teredo) are never public, and neither is an invalid address.
 */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === null) return false;
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12)).range() === 'unicast';
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}

/** Parses an address; a mapped one becomes the IPv4 address. Null if the text is not an address, or has a zone. */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress && !text.includes('%') ? ipaddr.process(text) : null;
}
