import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startS3, type TestS3 } from '@millrace/storage/testing/start-s3';
import { claimRedis, type ClaimedRedis } from '@millrace/testkit/claim-redis';
import { eventually } from '@millrace/testkit/eventually';
import { emptyDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { listSecrets } from './secrets/list-secrets.mjs';
import { loadClusterSecrets } from './secrets/load-cluster-secrets.mjs';
import { SERVICES } from './testing/environment-schemas.js';
import { componentOf, listPods, type KubernetesObject, type Pod } from './testing/kubernetes-object.js';
import { CHART, renderChart } from './testing/run-helm.js';
import { startContainer, type RunningContainer } from './testing/start-container.js';

/** deploy/start-app.mjs would prepare the control groups of this machine for a worker that is root. */
const WORKER_PROGRAM = ['node', 'apps/worker/dist/main.js'];

let folder: string;
let servers: { database: FreshDatabase; redis: ClaimedRedis; nats: PrivateNats; s3: TestS3 };
let pods: Pod[];
let secrets: ReturnType<typeof listSecrets>;
const containers = new Map<string, RunningContainer>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-helm-'));
  const [database, redis, nats, s3] = await Promise.all([emptyDatabase(), claimRedis(), privateNats(), startS3()]);
  servers = { database, redis, nats, s3 };
  const sets = [`nats.url=${nats.url}`, `objectStore.url=${s3.url}`, 'workers.sandbox=none', 'backup.enabled=true'];
  const { password } = new URL(redis.url);
  const own = { ...loadClusterSecrets(join(folder, 'secrets')), redis: password, nats: nats.passwords };
  const namespaces = { namespace: 'millrace', workerNamespace: 'millrace', serversNamespace: 'millrace' };
  secrets = listSecrets(own, { ...namespaces, postgres: 'unused', redis: redis.url, env: s3.credentials });
  pods = listPods(await renderChart('minimal', ...sets.flatMap((set) => ['--set', set])));
  const migrate = await start('migrate');
  if ((await migrate.exited) !== 0) throw new Error(`Migrations failed:\n${migrate.output()}`);
  await Promise.all(SERVICES.map(async (service) => containers.set(service, await start(service))));
});
afterAll(async () => {
  await Promise.all([...containers.values()].map((container) => container.stop()));
  await Promise.all([servers.database.drop(), servers.nats.stop(), servers.s3.close()]);
  servers.redis.release();
  rmSync(folder, { recursive: true, force: true });
});

function start(component: string): Promise<RunningContainer> {
  const root = join(folder, component);
  mkdirSync(join(root, 'secrets'), { recursive: true });
  writeFileSync(join(root, 'secrets/master-keys.json'), readSecret('millrace-workflows', 'master-keys.json') ?? '');
  const program = component === 'worker' ? { program: WORKER_PROGRAM } : {};
  return startContainer(podOf(component), { readSecret, root, ...program });
}

/** Reads the Secrets that `npm run helm:secrets` prints. */
function readSecret(name: string, key: string): string | undefined {
  const { url, logins } = servers.database;
  if (key in logins) return logins[key];
  if (key === 'DATABASE_URL') return logins[`DATABASE_URL_${name.replace('millrace-', '').toUpperCase()}`] ?? url;
  return secrets.find(({ metadata }) => metadata.name === name)?.stringData[key];
}

function podOf(component: string): Pod {
  const pod = pods.find((one) => componentOf(one) === component);
  if (!pod) throw new Error(`The chart has no pod ${component}.`);
  return pod;
}

function containerOf(component: string): RunningContainer {
  const container = containers.get(component);
  if (!container) throw new Error(`${component} does not run.`);
  return container;
}

const urlOf = (component: string, port = 'health') => containerOf(component).urlOf(port);

describe('processes with the commands and environments of the chart', () => {
  it.each(SERVICES)('respond to every probe of %s', async (service) => {
    const { startupProbe, livenessProbe, readinessProbe } = podOf(service).container;
    const { exited, output } = containerOf(service);
    const probes = [startupProbe, livenessProbe, readinessProbe].map(async (probe) => {
      const { path, port } = probe?.httpGet ?? { path: 'missing', port: 'missing' };
      const ready = eventually(async () => expect((await fetch(urlOf(service, port) + path)).status).toBe(200));
      // Kubernetes would start it again, but a process must not end.
      await Promise.race([ready, exited.then(() => Promise.reject(new Error(output())))]);
    });
    await Promise.all(probes);
  });

  it.each(SERVICES)('have the metrics of %s where the ServiceMonitor reads them', async (service) => {
    const monitor = (await renderChart('prometheus')).find(({ kind }) => kind === 'ServiceMonitor');
    const { endpoints } = (monitor?.spec ?? { endpoints: [] }) as { endpoints: { port: string; path: string }[] };
    const [{ port, path } = { port: 'missing', path: 'missing' }] = endpoints;
    const response = await fetch(urlOf(service, port) + path);
    expect({ status: response.status, text: await response.text() }).toEqual({
      status: 200,
      text: expect.stringContaining('# TYPE millrace_'),
    });
  });

  it('save the data into the volume for backups, without keys, and check what they saved', async () => {
    const backup = await start('backup');
    expect([await backup.exited, backup.output()]).toEqual([0, expect.stringContaining('The backup is complete.')]);
    const backups = join(folder, 'backup/backups');
    const [name = ''] = readdirSync(backups);
    const files = readdirSync(join(backups, name));
    expect(files).toContain('manifest.json');
    expect(files).not.toContain('keys.json');
  });

  it('respond to every trigger of KEDA with a number', async () => {
    const triggers = listTriggers(await renderChart('full'));
    expect(triggers.length).toBeGreaterThan(7);
    const values = await Promise.all(triggers.map(readTrigger));
    const missing = values.filter(({ value }) => typeof value !== 'number').map(({ path }) => path);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('pass `helm test`', async () => {
    expect(await checkSystem(urlOf('gateway', 'http'))).toEqual({ code: 0, stderr: '' });
  });

  it('fail `helm test` with the reason if one is away', async () => {
    const { code, stderr } = await checkSystem('http://127.0.0.1:1');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/FAILED +http:\S+: .*(bad port|refused)/i),
    });
  });

  // The last one, because nothing runs after it.
  it('end with code 0 after SIGTERM', async () => {
    const codes = await Promise.all(SERVICES.map(async (one) => [one, await containerOf(one).stop()]));
    expect(codes).toEqual(SERVICES.map((service) => [service, 0]));
  });
});

interface Trigger {
  url: string;
  valueLocation: string;
}

function listTriggers(objects: KubernetesObject[]): Trigger[] {
  const scaled = objects.filter(({ kind }) => kind === 'ScaledObject');
  return scaled.flatMap(({ spec }) =>
    (spec as { triggers: { metadata: Trigger }[] }).triggers.map((one) => one.metadata),
  );
}

async function readTrigger({ url, valueLocation }: Trigger): Promise<{ path: string; value: unknown }> {
  const { hostname, pathname } = new URL(url);
  const service = /^test-millrace-(\w+)-health\.millrace\.svc$/.exec(hostname)?.[1] ?? '';
  const response = await fetch(urlOf(service) + pathname);
  const body = (await response.json()) as Record<string, unknown>;
  return { path: pathname, value: body[valueLocation] };
}

/** Runs the program of the chart's test as its pod does. */
async function checkSystem(gateway: string): Promise<{ code: number; stderr: string }> {
  const script = readFileSync(join(CHART, 'files/check-system.mjs'), 'utf8');
  const urls = [gateway, ...SERVICES.map((service) => urlOf(service))];
  const env = { PATH: process.env['PATH'], CHECK_SECONDS: gateway.endsWith(':1') ? '0' : '60' };
  try {
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, ...urls], {
      env,
    });
    return { code: 0, stderr };
  } catch (error) {
    return error as { code: number; stderr: string };
  }
}
