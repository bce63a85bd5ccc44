import ipaddr from 'ipaddr.js';

/** All that is handed out to the internet so far (RFC 4291, section 2.4; IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The prefix behind which a NAT64 shows the IPv4 internet to machines without IPv4 (RFC 6052, section 2.1). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an address is one of the public internet: not this machine, not a private or local network, no cloud's metadata
 * service, no multicast, nothing reserved. An IPv4 address inside of an IPv6 one (mapped, NAT64) is judged by itself;
 * tunnels that carry one to wherever they like (6to4, Teredo) are never public. What is not an address is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === null) return false;
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12)).range() === 'unicast';
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}

/** An address, mapped ones as the IPv4 address that is meant; null where the text is none, or names a zone. */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress && !text.includes('%') ? ipaddr.process(text) : null;
}
