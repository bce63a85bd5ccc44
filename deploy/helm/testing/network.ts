import { BlockList } from 'node:net';
import type { KubernetesObject, Pod } from './kubernetes-object.js';

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: Selector;
  podSelector?: Selector;
}

interface Rule {
  to?: Peer[];
  from?: Peer[];
  ports?: { protocol: string; port: number | string }[];
}

interface PolicySpec {
  podSelector: Selector;
  policyTypes: ('Ingress' | 'Egress')[];
  egress?: Rule[];
  ingress?: Rule[];
}

/** One end of a connection: an address outside of the cluster, or a pod with the labels of its own and of its namespace. */
export type End = { ip: string } | { namespace: string; labels: Record<string, string> };

/** Decides as Kubernetes does whether the policies of a release let a pod connect to, or be reached from, another end. */
export class NetworkSimulator {
  private readonly policies: { namespace: string; spec: PolicySpec }[];

  constructor(objects: KubernetesObject[]) {
    const found = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    this.policies = found.map(({ metadata, spec }) => ({
      namespace: metadata.namespace ?? '',
      spec: spec as PolicySpec,
    }));
  }

  canSend(pod: Pod, to: End, port: number | string): boolean {
    return this.isAllowed('Egress', pod, to, port);
  }

  canReceive(pod: Pod, from: End, port: number | string): boolean {
    return this.isAllowed('Ingress', pod, from, port);
  }

  private isAllowed(type: 'Ingress' | 'Egress', pod: Pod, end: End, port: number | string): boolean {
    const selecting = this.policies.filter(
      ({ namespace, spec }) =>
        namespace === pod.namespace && spec.policyTypes.includes(type) && matches(spec.podSelector, pod.labels),
    );
    // A pod that no policy selects is open.
    if (selecting.length === 0) return true;
    return selecting.some(({ namespace, spec }) =>
      (type === 'Egress' ? spec.egress : spec.ingress)?.some((rule) => allows(rule, namespace, end, port)),
    );
  }
}

function allows({ to, from, ports }: Rule, own: string, end: End, port: number | string): boolean {
  const peers = to ?? from;
  const hasPort = ports === undefined || ports.some((one) => one.port === port);
  return hasPort && (peers === undefined || peers.some((peer) => isPeer(peer, own, end)));
}

function isPeer({ ipBlock, namespaceSelector, podSelector }: Peer, own: string, end: End): boolean {
  if ('ip' in end) return ipBlock !== undefined && isInBlock(ipBlock, end.ip);
  if (ipBlock) return false;
  const isInNamespace = namespaceSelector
    ? matches(namespaceSelector, { 'kubernetes.io/metadata.name': end.namespace })
    : end.namespace === own;
  return isInNamespace && matches(podSelector ?? {}, end.labels);
}

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''))
  );
}

function isInBlock({ cidr, except = [] }: { cidr: string; except?: string[] }, ip: string): boolean {
  const family = ip.includes(':') ? 'ipv6' : 'ipv4';
  const contains = (block: string) => {
    const [address = '', bits] = block.split('/');
    if (address.includes(':') !== (family === 'ipv6')) return false;
    const list = new BlockList();
    list.addSubnet(address, Number(bits), family);
    return list.check(ip, family);
  };
  return contains(cidr) && !except.some(contains);
}
