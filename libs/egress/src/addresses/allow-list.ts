import ipaddr from 'ipaddr.js';
import { z } from 'zod';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The addresses that the platform may reach: all public ones, and those that the operator allows. */
export class AllowList {
  private constructor(
    private readonly allowsAll: boolean,
    private readonly hosts: ReadonlySet<string>,
    private readonly networks: readonly Network[],
  ) {}

  /**
   * Parses a comma-separated list of hosts, addresses and networks (`10.1.0.0/16`); `*` allows everything.
   * @throws Error that names the invalid entry
   */
  static read(text: string): AllowList {
    const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
    const hosts = new Set<string>();
    const networks: Network[] = [];
    for (const entry of entries.filter((entry) => entry !== '' && entry !== '*')) {
      const network = readNetwork(entry);
      if (network) networks.push(network);
      else if (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(entry)) hosts.add(entry);
      else throw new Error(`"${entry}" is not a host, address or network such as 10.1.0.0/16`);
    }
    return new AllowList(entries.includes('*'), hosts, networks);
  }

  /** True if the operator allows exactly this host. */
  names(host: string): boolean {
    return this.hosts.has(bareHost(host));
  }

  /** True if the platform may connect to the address. `host` is the name that resolved to it. */
  allows(address: string, host: string): boolean {
    if (this.allowsAll || this.names(host) || isPublicAddress(address)) return true;
    const parsed = readAddress(address);
    return parsed !== null && this.networks.some((network) => isWithin(parsed, network));
  }
}

/** Normalizes the host of a URL: without brackets, and without the dot at the end of a fully qualified name. */
export const bareHost = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');

function readNetwork(text: string): Network | null {
  const address = readAddress(text);
  if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
  try {
    return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
}

const isWithin = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

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
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress && !text.includes('%') ? ipaddr.process(text) : null;
}

/** The variable `EGRESS_ALLOW`: private hosts, addresses and networks that may be reached; `*` allows all. */
export const allowListSetting = z
  .string()
  .transform((text, context) => {
    try {
      return AllowList.read(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  })
  .default(AllowList.read(''));
