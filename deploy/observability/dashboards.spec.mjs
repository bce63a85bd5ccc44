import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { DASHBOARDS } from './dashboards.mjs';
import { renderDashboard } from './render-dashboard.mjs';

const FOLDER = join(import.meta.dirname, 'dashboards');
const RUNBOOKS = join(import.meta.dirname, '..', '..', 'docs', 'runbooks');

it('the files of the dashboards are up to date (node deploy/observability/build-dashboards.mjs)', () => {
  const expected = Object.fromEntries(DASHBOARDS.map((one) => [`${one.uid}.json`, renderDashboard(one)]));
  const stored = readdirSync(FOLDER).map((name) => [name, JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))]);
  expect(Object.fromEntries(stored)).toEqual(JSON.parse(JSON.stringify(expected)));
});

it('no panels of a dashboard overlap, and each has a unit and a query', () => {
  for (const dashboard of DASHBOARDS.map(renderDashboard)) {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
    for (const panel of dashboard.panels) {
      expect(panel.fieldConfig.defaults.unit).not.toBe('');
      expect(panel.targets.length).toBeGreaterThan(0);
    }
  }
});

it('each alert has a runbook, and each runbook an alert', () => {
  const rules = readFileSync(join(import.meta.dirname, 'alerts.yml'), 'utf8');
  const pages = [...rules.matchAll(/runbook_url: docs\/runbooks\/([\w-]+\.md)$/gm)].map(([, page]) => page);
  const alerts = [...rules.matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name);
  expect(pages).toHaveLength(alerts.length);
  expect(
    readdirSync(RUNBOOKS)
      .filter((name) => name !== 'README.md')
      .toSorted(),
  ).toEqual(pages.toSorted());
  for (const [n, page] of pages.entries()) {
    const text = readFileSync(join(RUNBOOKS, page ?? ''), 'utf8');
    expect(text).toContain(`# ${alerts[n]}\n`);
    for (const part of ['Check', 'Fix', 'Prevent']) expect(text).toContain(`\n## ${part}\n`);
  }
});
