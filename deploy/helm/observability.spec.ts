import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProblems } from './testing/find-problems.js';
import type { KubernetesObject } from './testing/kubernetes-object.js';
import { CHART, parseObjects, runHelm, valuesFile } from './testing/run-helm.js';

const DEPLOY = join(import.meta.dirname, '..');
const ALERTS = `groups:
  - name: millrace
    rules:
      - alert: ServiceDown
        expr: up == 0
        for: 5m
        annotations: { summary: '{{ $labels.job }} does not respond' }
`;
const DASHBOARD = '{ "title": "Queues of {{ fleet }}" }';

it('the package of the chart has the rules and dashboards, and nothing else of their folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-chart-'));
  try {
    await runHelm('package', CHART, '--destination', folder);
    const [archive = ''] = readdirSync(folder);
    const { stdout } = await promisify(execFile)('tar', ['-tzf', join(folder, archive)]);
    const files = stdout.split('\n').filter((name) => name.includes('/observability/'));
    const expected = [...readdirSync(join(DEPLOY, 'observability/dashboards')).map((name) => `dashboards/${name}`)];
    expect(files.toSorted()).toEqual(
      ['alerts.yml', ...expected].map((name) => `millrace/files/observability/${name}`).toSorted(),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('alert rules and dashboards', () => {
  let folder: string;
  let objects: KubernetesObject[];
  /** The chart beside other alert rules and dashboards, because their number and names change. */
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-chart-'));
    const chart = join(folder, 'helm/millrace');
    cpSync(CHART, chart, { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(folder, 'observability/dashboards'), { recursive: true });
    writeFileSync(join(folder, 'observability/alerts.yml'), ALERTS);
    writeFileSync(join(folder, 'observability/dashboards/queues.json'), DASHBOARD);
    const enabled = [
      'metrics.rules.enabled=true',
      'metrics.rules.labels.release=prometheus',
      'metrics.dashboards.enabled=true',
    ];
    const sets = enabled.flatMap((set) => ['--set', set]);
    objects = parseObjects(await runHelm('template', 'test', chart, '-f', valuesFile('minimal'), ...sets));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const find = (kind: string) => objects.find((object) => object.kind === kind);

  it('come from deploy/observability, which the chart includes by a link', () => {
    expect(realpathSync(join(CHART, 'files/observability'))).toBe(join(DEPLOY, 'observability'));
  });

  it('become a PrometheusRule, whose templates are those of Prometheus', () => {
    const rule = find('PrometheusRule');
    expect(rule?.metadata.labels).toMatchObject({ release: 'prometheus' });
    const summary = '{{ $labels.job }} does not respond';
    expect(rule?.spec).toEqual({
      groups: [
        { name: 'millrace', rules: [{ alert: 'ServiceDown', expr: 'up == 0', for: '5m', annotations: { summary } }] },
      ],
    });
  });

  it('become a ConfigMap for each dashboard, with its text as it is', () => {
    const map = find('ConfigMap');
    expect(map?.metadata).toMatchObject({ name: 'test-millrace-dashboard-queues', labels: { grafana_dashboard: '1' } });
    expect(map?.data).toEqual({ 'queues.json': DASHBOARD });
  });

  it('are objects that the API accepts', () => {
    expect(
      [find('PrometheusRule'), find('ConfigMap')].flatMap((object) => (object ? findProblems(object) : ['none'])),
    ).toEqual([]);
  });
});
