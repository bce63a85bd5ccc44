import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeCopyOut } from './lib/live/copy-bare.mjs';
import { timeSeconds } from './lib/measure.mjs';
import { getJson } from './live-queries.mjs';

const GOAL = 0.8;

/**
 * Exports all rows as CSV: from the request until the file can be downloaded. The floor is COPY of the rows to a file.
 * @param {import('./live.mjs').LiveTable} live
 * @param {(line: string) => void} note
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchExport(live, note) {
  await exportAll(live);
  const path = join(live.folder, 'bare.csv');
  const bare = await timeCopyOut(live.client, live.table, live.columns, path);
  const ours = await timeSeconds(() => exportAll(live));
  note(`export: ${ours.toFixed(2)} s (floor ${bare.toFixed(2)} s)`);
  return {
    workload: 'W6: export of 1,000,000 rows as CSV',
    isolation: '',
    ours: `${ours.toFixed(2)} s`,
    floor: `${bare.toFixed(2)} s (COPY TO)`,
    ratio: bare / ours,
    goal: `at least ${GOAL} of the speed of COPY`,
    met: bare / ours >= GOAL,
  };
}

/** @param {import('./live.mjs').LiveTable} live */
async function exportAll(live) {
  const { api, token, id: dataset } = live;
  const select = [...live.column.keys()].join(',');
  const response = await fetch(`${api}/exports`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataset, select, format: 'csv' }),
  });
  let csvExport = /** @type {any} */ (await response.json());
  while (!['COMPLETED', 'FAILED'].includes(csvExport.status)) {
    await sleep(20);
    csvExport = await getJson(live, `/exports/${csvExport.id}`);
  }
  if (csvExport.status !== 'COMPLETED') throw new Error(`The export failed: ${csvExport.error}`);
}
