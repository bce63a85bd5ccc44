import ipaddr from 'ipaddr.js';
import { isPublicAddress, readAddress } from './is-public-address.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** What the platform may reach: every public address, and what the operator has allowed beside that. */
export class AllowList {
  private constructor(
    private readonly all: boolean,
    private readonly hosts: ReadonlySet<string>,
    private readonly networks: readonly Network[],
  ) {}

  /**
   * Reads hosts, addresses and networks (`10.1.0.0/16`) with commas between; `*` allows everything.
   * @throws Error that names the entry which is none of these
   */
  static read(text: string): AllowList {
    const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
    const hosts = new Set<string>();
    const networks: Network[] = [];
    for (const entry of entries.filter((one) => one !== '' && one !== '*')) {
      const network = readNetwork(entry);
      if (network) networks.push(network);
      else if (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(entry)) hosts.add(entry);
      else throw new Error(`"${entry}" is no host, address or network`);
    }
    return new AllowList(entries.includes('*'), hosts, networks);
  }

  /** Whether the operator has named this very host. */
  names(host: string): boolean {
    return this.hosts.has(bareHost(host));
  }

  /** Whether a connection to this address may be made. `host` is the name that led to it. */
  allows(address: string, host: string): boolean {
    if (this.all || this.names(host) || isPublicAddress(address)) return true;
    const parsed = readAddress(address);
    return parsed !== null && this.networks.some((network) => isWithin(parsed, network));
  }
}

/** A host as it stands in a URL, without brackets, and without the dot that ends a full name. */
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
