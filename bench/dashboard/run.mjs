import { cpus } from 'node:os';
import { formatTable } from '../../scripts/lib/format-table.mjs';
import { runMain, UserError } from '../../scripts/lib/report.mjs';
import { signUp } from '../lib/account.mjs';
import { startSystem } from '../lib/start-system.mjs';
import { measureBusyRun } from './busy.mjs';
import { measureEditor } from './editor.mjs';
import { measureGrid } from './grid.mjs';
import { openBrowser } from './lib/open-browser.mjs';
import { measureLoad } from './load.mjs';
import { measureMemory } from './memory.mjs';
import { measureFilters } from './tables.mjs';

/**
 * What was measured, its value, the goal and whether it is met. The last two are empty for values without a goal.
 * @typedef {[what: string, value: string, goal: string, result: string]} Row
 *
 * @typedef {{ url: string, account: import('../lib/account.mjs').Account, browser: import('./lib/open-browser.mjs').SignedInBrowser, note: (line: string) => void }} DashboardBench
 */

/** @type {Record<string, (bench: DashboardBench) => Promise<Row[]>>} */
const PARTS = {
  load: measureLoad,
  editor: measureEditor,
  grid: measureGrid,
  busy: measureBusyRun,
  memory: measureMemory,
  tables: measureFilters,
};

const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/**
 * @param {string} url
 * @param {string[]} names
 * @returns {Promise<Row[]>}
 */
async function measure(url, names) {
  const account = await signUp(url);
  const browser = await openBrowser(url, account);
  try {
    /** @type {Row[]} */
    const rows = [];
    for (const name of names) {
      note(`Part ${name}`);
      rows.push(...((await PARTS[name]?.({ url, account, browser, note: (line) => note(`  ${line}`) })) ?? []));
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** Measures the built dashboard in Chromium, with a system of its own or that of MILLRACE_URL. */
await runMain(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
  const unknown = names.filter((name) => !PARTS[name]);
  if (unknown.length > 0) {
    throw new UserError(
      `These parts do not exist: ${unknown.join(', ')}. Choose from: ${Object.keys(PARTS).join(', ')}.`,
      2,
    );
  }
  const { MILLRACE_URL } = process.env;
  const system = MILLRACE_URL ? null : await startSystem({ RATE_LIMIT_PER_MINUTE: '0' });
  try {
    const rows = await measure((MILLRACE_URL ?? system?.url ?? '').replace(/\/$/, ''), names);
    console.log(`\n${cpus().length} cores\n`);
    console.log(formatTable(['What', 'Value', 'Goal', 'Result'], rows));
  } finally {
    await system?.stop();
  }
});
