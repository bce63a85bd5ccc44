import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { valueIn } from '@millrace/telemetry/testing/read-metric';
import { eventually } from '@millrace/testkit/eventually';
import { freePort } from '@millrace/testkit/free-port';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { REPOSITORY } from './support/repository.js';
import { script, startRun, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';
import { checkMetrics, startPrometheus, type Prometheus } from './support/start-prometheus.js';

let ports: Map<string, number>;
let system: OwnSystem;
let prometheus: Prometheus;
let account: Account;
/** What each service serves for Prometheus, after a run. */
let served: Map<string, string>;

beforeAll(async () => {
  const first = await freePort(SERVICES.length);
  ports = new Map(SERVICES.map((service, index) => [service, first + index]));
  system = await startOwnSystem({ HEALTH_PORT: String(first) });
  prometheus = await startPrometheus(ports);
  account = await signUp(system.url);
  await rawRequest(account, 'POST', '/api/auth/login', {
    body: JSON.stringify({ email: account.email, password: 'not the password' }),
  });
  const { id } = await startRun(account, { nodes: { 'hello-1': script('echo hello') } });
  await waitForEnd(account.client, id);
  served = new Map(
    await Promise.all(SERVICES.map(async (service) => [service, await read(service, '/metrics')] as const)),
  );
});
afterAll(async () => {
  await prometheus?.stop();
  await system?.stop();
});

const read = async (service: string, path: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${ports.get(service)}${path}`)).text();

/** Names of the metrics in a text: without the endings of the series of a histogram. */
const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b((?:millrace|nodejs|process)_[a-z0-9_]+?)(?:_bucket|_count|_sum)?\b(?=[{[) \n/]|$)/gm)].map(
      ([, name]) => String(name),
    ),
  ),
];

const servedNames = (): Set<string> =>
  new Set(
    [...served.values()].flatMap((text) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => String(name))),
  );

const valueOf = (service: string, series: string) => valueIn(served.get(service) ?? '', series);

/** The queries of all dashboards. */
function readQueries(): string[] {
  const folder = join(REPOSITORY, 'deploy/observability/dashboards');
  return readdirSync(folder).flatMap((name) => {
    const dashboard = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    return dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  });
}

const firingAlerts = async (): Promise<string[]> => {
  const { data } = await prometheus.read('/alerts');
  const alerts = data['alerts'] as { state: string; labels: Record<string, string> }[];
  return alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels }) => `${labels['alertname']} ${labels['job']}`);
};

it.each([...SERVICES])('Prometheus finds no fault in the metrics of the service %s', async (service) => {
  expect(await checkMetrics(served.get(service) ?? '')).toBe('');
});

it('no metric has a label that Prometheus gives to the target', () => {
  expect([...served.values()].join('\n')).not.toMatch(/^\w+\{(?:[^}]*,)?(?:job|instance)="/m);
});

it('a sign-in, a full disk and a failure of the store would be seen', () => {
  expect(valueOf('auth', 'millrace_sign_ins_total{method="password",outcome="invalid_credentials"}')).toBe(1);
  expect(valueOf('runs', 'millrace_disk_free_bytes{folder="objects"}')).toBeGreaterThan(0);
  const stored = 'millrace_storage_operation_duration_seconds_count{operation="check",outcome="succeeded"}';
  expect(valueOf('runs', stored)).toBeGreaterThan(0);
  for (const service of SERVICES) expect(valueOf(service, `millrace_ready{service="${service}"}`)).toBe(1);
});

it('a run is counted by the engine and by the worker', () => {
  expect(valueOf('runs', 'millrace_runs_finished_total{status="COMPLETED"}')).toBe(1);
  expect(valueOf('runs', 'millrace_dispatch_latency_seconds_count')).toBe(1);
  const step = 'millrace_step_duration_seconds_count{kind="script",size="small",outcome="succeeded"}';
  expect(valueOf('worker', step)).toBe(1);
  expect(valueOf('worker', 'millrace_worker_slots{fleet="default"}')).toBeGreaterThan(0);
});

it('the guide lists exactly the metrics that the services serve', () => {
  const guide = readFileSync(join(REPOSITORY, 'docs/guides/monitoring.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(millrace_\w+)`/gm)].map(([, name]) => String(name));
  const own = [...servedNames()].filter((name) => name.startsWith('millrace_'));
  expect(listed.toSorted()).toEqual(own.toSorted());
});

it('services serve every metric that an alert or a dashboard names', () => {
  const rules = readFileSync(join(REPOSITORY, 'deploy/observability/alerts.yml'), 'utf8');
  const names = metricsIn([rules, ...readQueries()].join('\n'));
  expect(names.length).toBeGreaterThan(40);
  const known = servedNames();
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it('Prometheus scrapes every service', async () => {
  await eventually(async () => {
    const { data } = await prometheus.read('/targets');
    const targets = data['activeTargets'] as { health: string; labels: Record<string, string> }[];
    const up = targets.filter(({ health }) => health === 'up').map(({ labels }) => String(labels['job']));
    expect(up.toSorted()).toEqual([...SERVICES].toSorted());
  });
});

it('Prometheus evaluates every alert, and every query of the dashboards', async () => {
  await eventually(async () => {
    const { data } = await prometheus.read('/rules');
    const groups = data['groups'] as { rules: { name: string; health: string; lastError?: string }[] }[];
    expect(groups.flatMap(({ rules }) => rules).filter(({ health }) => health !== 'ok')).toEqual([]);
  });
  const results = await Promise.all(
    readQueries().map(async (query) => {
      const { status, error } = await prometheus.query(
        query.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.+'),
      );
      return status === 'success' ? [] : [`${query}: ${error}`];
    }),
  );
  expect(results.flat()).toEqual([]);
});

it('an alert fires for a worker that does not respond, and subjobs are seen to wait for it', async () => {
  const worker = system.pidOf('worker');
  process.kill(worker, 'SIGSTOP');
  try {
    await startRun(account, { nodes: { 'hello-1': script('echo hello') } });
    await eventually(async () => expect(await firingAlerts()).toContain('MillraceServiceDown worker'));
    const backlog = JSON.parse(await read('runs', '/scaling/fleets/default')) as Record<string, number>;
    expect(backlog['waiting']).toBe(1);
    expect(backlog['oldestSeconds']).toBeGreaterThan(0);
    expect(JSON.parse(await read('runs', '/scaling/fleets/unknown'))).toEqual({
      waiting: 0,
      busy: 0,
      oldestSeconds: 0,
    });
  } finally {
    process.kill(worker, 'SIGCONT');
  }
  await eventually(async () => expect(await firingAlerts()).not.toContain('MillraceServiceDown worker'));
});
