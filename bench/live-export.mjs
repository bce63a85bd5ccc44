import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeCopyOut } from './lib/live/copy-bare.mjs';
import { secondsOf } from './lib/measure.mjs';
import { getJson } from './live-queries.mjs';

const GOAL = 0.6;

/**
 * All rows as CSV, from the request to the file that can be downloaded, beside COPY of the same rows into a file.
 * @param {import('./live.mjs').LiveTable} live
 * @param {(line: string) => void} note
 * @returns {Promise<import('./run.mjs').Result>}
 */
export async function benchExport(live, note) {
  await exportAll(live);
  const path = join(live.folder, 'bare.csv');
  const bare = await timeCopyOut(live.client, live.table, live.columns, path);
  const ours = await secondsOf(() => exportAll(live));
  note(`out: ${ours.toFixed(2)} s beside ${bare.toFixed(2)} s`);
  return {
    workload: 'W6 1,000,000 rows out as CSV',
    isolation: '',
    ours: `${ours.toFixed(2)} s`,
    floor: `${bare.toFixed(2)} s (COPY TO)`,
    ratio: bare / ours,
    goal: `at least ${GOAL} of COPY`,
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
  let request = /** @type {any} */ (await response.json());
  while (!['COMPLETED', 'FAILED'].includes(request.status)) {
    await sleep(20);
    request = await getJson(live, `/exports/${request.id}`);
  }
  if (request.status !== 'COMPLETED') throw new Error(`The export failed: ${request.error}`);
}
