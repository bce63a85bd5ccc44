import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARDS } from './dashboards.mjs';
import { renderDashboard } from './render-dashboard.mjs';

// Writes the files in `dashboards` again: run it after a change of dashboards.mjs.
for (const dashboard of DASHBOARDS) {
  const file = join(import.meta.dirname, 'dashboards', `${dashboard.uid}.json`);
  writeFileSync(file, `${JSON.stringify(renderDashboard(dashboard), null, 2)}\n`);
}
