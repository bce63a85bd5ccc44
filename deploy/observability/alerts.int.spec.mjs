import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrometheus } from '../../scripts/lib/machine/ensure-prometheus.mjs';
import { runCommand } from '../../scripts/lib/run-command.mjs';
import { ALERT_CASES } from './testing/alert-cases.mjs';

const RULES = join(import.meta.dirname, 'alerts.yml');

/** @type {string} */
let promtool;
/** @type {string} */
let folder;
beforeAll(async () => {
  ({ promtool } = await ensurePrometheus());
  folder = mkdtempSync(join(tmpdir(), 'millrace-alerts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {...string} args */
const check = (...args) => runCommand(promtool, ['check', ...args]);

it('Prometheus accepts the alert rules and its configuration', async () => {
  expect(await check('rules', RULES)).toMatchObject({ code: 0 });
  expect(await check('config', join(import.meta.dirname, 'prometheus.yml'))).toMatchObject({ code: 0 });
});

it('each alert has a case', () => {
  const alerts = [...readFileSync(RULES, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);
  expect(Object.keys(ALERT_CASES).toSorted()).toEqual(alerts.toSorted());
});

it('each alert fires in its case, no other alert does, and none in a similar case', async () => {
  const firing = Object.entries(ALERT_CASES).map(([alert, { fires, at = '1h' }]) =>
    describeTest(fires, at, [{ labels: `{alertname="${alert}"}`, value: 1 }]),
  );
  const quiet = Object.assign({}, ...Object.values(ALERT_CASES).map((one) => one.quiet));
  const tests = [...firing, describeTest(quiet, '1h', [])];
  const file = join(folder, 'cases.yml');
  // Each JSON text is YAML as well.
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }));
  const { code, output } = await runCommand(promtool, ['test', 'rules', file]);
  expect(output).not.toMatch(/FAILED/);
  expect(code).toBe(0);
});

/**
 * Without the process that runs all services, the absence of the others would be an alert in each case.
 * @param {Record<string, string>} series
 * @param {string} at
 * @param {{ labels: string, value: number }[]} firing
 */
const describeTest = (series, at, firing) => ({
  interval: '1m',
  input_series: Object.entries({ 'up{job="single"}': '1x60', ...series }).map(([name, values]) => ({
    series: name,
    values,
  })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (count by (alertname, severity) (ALERTS{alertstate="firing"}))',
      eval_time: at,
      exp_samples: firing,
    },
  ],
});
