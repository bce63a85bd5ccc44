import ipaddr from 'ipaddr.js';
import { isPublicAddress, readAddress } from './is-public-address.js';

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
