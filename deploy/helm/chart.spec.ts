import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { findProblems } from './testing/find-problems.js';
import { componentOf, type KubernetesObject, listPods } from './testing/kubernetes-object.js';
import { CHART, renderChart, runHelm, VALUES, valuesFile } from './testing/run-helm.js';

const rendered = new Map<string, KubernetesObject[]>();
beforeAll(async () => {
  for (const name of VALUES) rendered.set(name, await renderChart(name));
});
const objectsOf = (name: string) => rendered.get(name) ?? [];
const keyOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.namespace}/${metadata.name}`;

describe.each(VALUES)('the chart with the values %s', (name) => {
  it('passes helm lint', async () => {
    expect(await runHelm('lint', CHART, '--strict', '-f', valuesFile(name))).toMatch(/0 chart\(s\) failed/);
  });

  it('has only objects that the API accepts, without unknown fields', () => {
    const problems = objectsOf(name).flatMap((object) =>
      findProblems(object).map((problem) => `${keyOf(object)}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('has no two objects of the same kind and name, and no name that is too long for a label', () => {
    const keys = objectsOf(name).map(keyOf);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.filter((key) => (key.split('/').at(-1) ?? '').length > 63)).toEqual([]);
  });
});

it('the chart has objects of every kind that it promises', () => {
  const kinds = [...new Set([...rendered.values()].flat().map(({ kind }) => kind))].sort();
  expect(kinds).toEqual([
    ...['ConfigMap', 'CronJob', 'Deployment', 'HTTPRoute', 'HorizontalPodAutoscaler', 'Ingress', 'Job'],
    ...['NetworkPolicy', 'Pod', 'PodDisruptionBudget', 'PrometheusRule', 'Role', 'RoleBinding', 'ScaledObject'],
    ...['Service', 'ServiceAccount', 'ServiceMonitor'],
  ]);
});

it('the CronJob checks each backup, and deletes old ones unless all of them are to be kept', async () => {
  const argumentsOf = async (keep: number) => {
    const pods = listPods(await renderChart('fleets', '--set', `backup.keep=${keep}`));
    return pods.find((pod) => componentOf(pod) === 'backup')?.container.args;
  };
  const all = ['backup', '/backups', '--without-keys', '--verify'];
  expect(await argumentsOf(7)).toEqual([...all, '--keep', '7']);
  expect(await argumentsOf(0)).toEqual(all);
});

it('the chart has no Secret and no password', () => {
  const text = JSON.stringify([...rendered.values()].flat());
  expect(text).not.toMatch(/"kind":"Secret"|postgres(ql)?:\/\/|:\/\/[^/"]+:[^/"]+@/);
});

it('the chart has the version of the packages', () => {
  const read = (file: string) => readFileSync(join(CHART, file), 'utf8');
  const { version } = JSON.parse(read('../../../package.json')) as { version: string };
  const { version: ofChart, appVersion } = parse(read('Chart.yaml')) as { version: string; appVersion: string };
  expect([ofChart, appVersion]).toEqual([version, version]);
});
