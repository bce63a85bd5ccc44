import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCHEMAS, SERVICES } from './testing/environment-schemas.js';
import { componentOf, listPods } from './testing/kubernetes-object.js';
import { CHART, renderChart } from './testing/run-helm.js';

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  type?: string;
  items?: Schema;
}
const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema & {
  definitions: Record<string, Schema>;
};

/** Settings that containers do not need: the image sets them, or they are for other ways to start a service or for tests. */
const NOT_IN_CLUSTERS = [
  ...['NODE_ENV', 'MILLRACE_DATA_DIR', 'STRIPE_API_BASE'],
  // The other executor, and a worker outside of the cluster.
  ...['DOCKER_HOST', 'DOCKER_TLS_VERIFY', 'DOCKER_CERT_PATH', 'DOCKER_CONFIG'],
  ...['KUBECONFIG', 'WORKER_KUBERNETES_NAMESPACE'],
];

const settingsOf = (service: string): string[] => {
  const values = service === 'worker' ? schema.definitions['fleet'] : schema.properties?.[service];
  return Object.keys(values?.properties?.['settings']?.properties ?? {});
};

describe('values.schema.json', () => {
  const passed = new Map<string, string[]>();
  beforeAll(async () => {
    const pods = (await Promise.all([renderChart('full'), renderChart('plain'), renderChart('jobs')])).flatMap(
      listPods,
    );
    for (const pod of pods.filter((one) => componentOf(one) in SCHEMAS)) {
      const names = pod.container.env.map(({ name }) => name);
      passed.set(componentOf(pod), [...(passed.get(componentOf(pod)) ?? []), ...names]);
    }
  });

  it.each(SERVICES)('accepts the settings of %s, and the chart passes those that it does not accept', (service) => {
    const known = Object.keys(SCHEMAS[service]?.shape ?? {});
    expect(settingsOf(service).filter((name) => !known.includes(name))).toEqual([]);
    const available = [...settingsOf(service), ...(passed.get(service) ?? []), ...NOT_IN_CLUSTERS];
    expect(known.filter((name) => !available.includes(name))).toEqual([]);
  });

  it('accepts for all processes the settings that every process has', () => {
    const common = settingsOf('auth').filter((name) => SERVICES.every((service) => settingsOf(service).includes(name)));
    expect(Object.keys(schema.properties?.['settings']?.properties ?? {}).sort()).toEqual(common.sort());
  });

  it('refuses unknown keys everywhere but in objects of Kubernetes', () => {
    const open: string[] = [];
    const visit = (part: Schema, path: string): void => {
      if (part.type === 'object' && part.additionalProperties === undefined) open.push(path);
      for (const [name, child] of Object.entries(part.properties ?? {})) visit(child, `${path}.${name}`);
      if (part.items) visit(part.items, `${path}[]`);
    };
    visit(schema, '');
    for (const [name, definition] of Object.entries(schema.definitions)) visit(definition, name);
    expect(open).toEqual([
      ...['.global', '.workers.seLinuxOptions', '.httpRoute.parentRefs[]'],
      ...['peers[].ipBlock', 'peers[].namespaceSelector', 'peers[].podSelector', 'resources.requests'],
      ...['resources.limits', 'pod.affinity', 'egress.allow[]'],
    ]);
  });
});

describe('the chart refuses', () => {
  const refusals: [string, string[], RegExp][] = [
    ['no registry', ['image.registry='], /Set image\.registry: the registry that has your images/],
    ['no address', ['publicUrl='], /Set publicUrl: the address that users open, such as https:/],
    ['no broker', ['nats.url='], /Set nats\.url: the address of NATS, such as nats:/],
    ['no object store', ['objectStore.url='], /Set objectStore\.url: an S3-compatible server/],
    ['a server that no policy lets services reach', ['redis.peers=null'], /Set redis\.peers: the NetworkPolicyPeers/],
    ['an unknown setting', ['runs.settings.CACHE_DAYS=3'], /'\/runs\/settings'.*'CACHE_DAYS' not allowed/],
    ['a secret among the settings', ['auth.settings.MILLRACE_SECRET=x'], /'MILLRACE_SECRET' not allowed/],
    ['a misspelled key', ['gateway.replica=3'], /'\/gateway'.*'replica' not allowed/],
    ['a password in an address', ['nats.url=nats://user:password@nats:4222'], /'\/nats\/url'.*does not match/],
    ['an address with a path', ['publicUrl=https://example.org/millrace'], /'\/publicUrl'.*does not match/],
    ['a name that is none of Kubernetes', ['workers.fleets.GPU.slots=1'], /propertyName 'GPU'/],
    ['no image for Jobs', ['workers.executor=kubernetes'], /Set workers\.steps\.image: the image of steps/],
    [
      'an API server that no policy lets workers reach',
      ['workers.executor=kubernetes', 'workers.steps.image=debian:12'],
      /Set workers\.steps\.apiServer\.peers/,
    ],
    ['an unknown sandbox', ['workers.sandbox=docker'], /'\/workers\/sandbox'.*'userNamespaces', 'nodeRoot', 'none'/],
    ['more copies than the maximum', ['auth.autoscaling.minReplicas=9'], /auth\.autoscaling\.minReplicas must not be/],
    ['the same of a fleet', ['workers.fleets.default.autoscaling.minReplicas=99'], /fleets\.default\.autoscaling/],
    ['a route without a Gateway', ['httpRoute.enabled=true'], /Set httpRoute\.parentRefs/],
  ];
  it.each(refusals)('%s', async (_title, sets, message) => {
    await expect(renderChart('minimal', ...sets.flatMap((set) => ['--set', set]))).rejects.toThrow(message);
  });

  it('user namespaces on a cluster that has none', async () => {
    const old = renderChart('minimal', '--kube-version', '1.32.0');
    await expect(old).rejects.toThrow(/userNamespaces needs Kubernetes 1\.33 or newer \(got v1\.32\.0\)/);
  });
});
