import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAX_ADDRESS_LENGTH = 49;

/** Whether a text is an address or network that Postgres' `inet` stores without loss: no zone, no host bits in a network. */
export function isAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH || text.length < 2) return false;
  const slash = text.indexOf('/');
  if (slash !== -1) return isNetwork(text, text.slice(0, slash), text.slice(slash + 1));
  return isIPv4(text) || (isIPv6(text) && !text.includes('%'));
}

function isNetwork(text: string, address: string, bits: string): boolean {
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || address.includes('%')) return false;
  if (isIPv4(address)) return Number(bits) <= 32 && isNetworkAddress(ipaddr.IPv4.networkAddressFromCIDR(text), address);
  return isIPv6(address) && Number(bits) <= 128 && isNetworkAddress(ipaddr.IPv6.networkAddressFromCIDR(text), address);
}

const isNetworkAddress = (network: ipaddr.IPv4 | ipaddr.IPv6, address: string): boolean =>
  network.toNormalizedString() === ipaddr.parse(address).toNormalizedString();
