import { beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES } from './testing/environment-schemas.js';
import { componentOf, listPods, type Pod } from './testing/kubernetes-object.js';
import { NetworkSimulator, type End } from './testing/network.js';
import { renderChart, type ValuesName } from './testing/run-helm.js';

interface Release {
  pods: Pod[];
  network: NetworkSimulator;
}
const open = async (name: ValuesName): Promise<Release> => {
  const objects = await renderChart(name);
  return { pods: listPods(objects), network: new NetworkSimulator(objects) };
};

/** Servers with the addresses of ci/fleets-values.yaml, and others that pods may or may not reach. */
const DESTINATIONS: Record<string, [ip: string, port: number]> = {
  postgres: ['10.20.0.10', 5432],
  redis: ['10.20.0.11', 6379],
  nats: ['10.20.0.12', 4222],
  internet: ['203.0.113.7', 8443],
  'internet over IPv6': ['2001:db8::7', 8443],
  s3: ['203.0.113.8', 443],
  'another port of Redis': ['10.20.0.11', 22],
  'an internal network': ['10.40.1.1', 22],
  'the API server': ['10.96.0.1', 443],
  'a pod': ['10.244.1.9', 8081],
  'metadata of AWS': ['169.254.169.254', 80],
  'metadata of AWS over IPv6': ['fd00:ec2::254', 80],
  'metadata of Azure': ['168.63.129.16', 80],
  'metadata of Alibaba': ['100.100.100.200', 80],
};

describe('network policies', () => {
  let fleets: Release;
  let full: Release;
  beforeAll(async () => {
    [fleets, full] = await Promise.all([open('fleets'), open('full')]);
  });

  const find = ({ pods }: Release, component: string): Pod => {
    const pod = pods.find((one) => componentOf(one) === component || one.labels['millrace-fleet'] === component);
    if (!pod) throw new Error(`no pod ${component}`);
    return pod;
  };
  const reachable = (component: string) =>
    Object.entries(DESTINATIONS).flatMap(([name, [ip, port]]) =>
      fleets.network.canSend(find(fleets, component), { ip }, port) ? [name] : [],
    );

  const MESSAGING = ['redis', 'nats'];
  const INTERNET = ['internet', 'internet over IPv6', 's3'];
  it.each<[string, string[]]>([
    ['gateway', [...MESSAGING, 's3']],
    ['auth', ['postgres', ...MESSAGING]],
    ['workflows', ['postgres', ...MESSAGING]],
    ['runs', ['postgres', ...MESSAGING, 's3']],
    ['datasets', ['postgres', ...MESSAGING, 's3']],
    ['billing', ['postgres', ...MESSAGING]],
    ['notifications', ['postgres', ...MESSAGING, ...INTERNET]],
    ['migrate', ['postgres']],
    ['backup', ['postgres', 's3']],
    ['general', [...MESSAGING, ...INTERNET]],
    ['scanner', [...MESSAGING, 's3', 'an internal network']],
    ['test', []],
  ])('let %s connect to the servers that it needs, and to nothing else', (component, expected) => {
    expect(reachable(component)).toEqual(expected);
  });

  const monitoring: End = { namespace: 'monitoring', labels: {} };
  const stranger: End = { namespace: 'other', labels: {} };
  const otherPods = ({ pods }: Release, than: Pod): End[] =>
    pods
      .filter((pod) => pod !== than && componentOf(pod) !== 'test')
      .map(({ namespace, labels }) => ({ namespace, labels }));

  it.each(SERVICES)('let nobody but monitoring, KEDA and the test connect to %s', (component) => {
    const pod = find(full, component);
    const { namespace, labels } = find(full, 'test');
    const allowed = [monitoring, { namespace: 'keda', labels: {} }, { namespace, labels }];
    expect(allowed.map((end) => full.network.canReceive(pod, end, 'health'))).toEqual([true, true, true]);
    const refused = [stranger, { ip: '203.0.113.7' }, ...otherPods(full, pod)];
    expect(refused.filter((end) => full.network.canReceive(pod, end, 'health'))).toEqual([]);
  });

  it('let the ingress controller connect to the gateway, and the pods of the release not', () => {
    const gateway = find(full, 'gateway');
    expect(full.network.canReceive(gateway, { namespace: 'ingress-nginx', labels: {} }, 'http')).toBe(true);
    const refused = [stranger, monitoring, ...otherPods(full, gateway)];
    expect(refused.filter((end) => full.network.canReceive(gateway, end, 'http'))).toEqual([]);
  });

  it('let every pod resolve names, and the test reach everything that it checks', () => {
    const dns: End = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
    expect(full.pods.filter((pod) => !full.network.canSend(pod, dns, 53))).toEqual([]);
    const test = find(full, 'test');
    for (const service of SERVICES) {
      const { namespace, labels } = find(full, service);
      expect(full.network.canSend(test, { namespace, labels }, 'health')).toBe(true);
    }
  });

  describe('for steps that run as Jobs', () => {
    let jobs: Release;
    beforeAll(async () => {
      jobs = await open('jobs');
    });
    const step = (network: 'allowed' | 'none'): Pod => ({
      ...find(jobs, 'worker'),
      labels: {
        'app.kubernetes.io/managed-by': 'millrace',
        'app.kubernetes.io/component': 'step',
        'millrace.dev/network': network,
      },
    });
    const dns: End = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
    const reached = (pod: Pod) =>
      Object.entries(DESTINATIONS).flatMap(([name, [ip, port]]) =>
        jobs.network.canSend(pod, { ip }, port) ? [name] : [],
      );

    it('deny all connections of steps without the network, and let others reach the internet and what is allowed', () => {
      expect([reached(step('none')), jobs.network.canSend(step('none'), dns, 53)]).toEqual([[], false]);
      expect(reached(step('allowed'))).toEqual([...INTERNET, 'an internal network']);
      expect(jobs.network.canSend(step('allowed'), dns, 53)).toBe(true);
    });

    it('let nobody connect to a step, and workers connect to the API server', () => {
      const worker = find(jobs, 'worker');
      const refused: End[] = [monitoring, stranger, { namespace: worker.namespace, labels: worker.labels }];
      expect(refused.filter((end) => jobs.network.canReceive(step('allowed'), end, 8080))).toEqual([]);
      expect(jobs.network.canSend(worker, { ip: '10.0.0.5' }, 6443)).toBe(true);
      expect(jobs.network.canSend(worker, { ip: '10.0.0.6' }, 6443)).toBe(false);
    });
  });

  it('can be left out', async () => {
    const plain = await open('plain');
    expect(plain.network.canSend(find(plain, 'worker'), { ip: '10.96.0.1' }, 443)).toBe(true);
  });
});
