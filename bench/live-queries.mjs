import { setTimeout as sleep } from 'node:timers/promises';
import { medians, timeRequests } from './lib/live/time-requests.mjs';
import { COLUMNS } from './lib/live/write-rows.mjs';
import { loadUrl } from './lib/load-url.mjs';

const PAGE = 200;
/** The columns that the floor's SQL returns as well. */
const SELECT = [...COLUMNS, '_row'].join(',');
/** Each round measures the query and its floor, because the speed of the machine changes from second to second. */
const ROUNDS = 7;
const FLOOR_QUERIES_PER_ROUND = 200;
const SECONDS_PER_ROUND = 0.7;
/** Allowed over the floor for the way of the request through the gateway and the service. */
const GOAL = { p50Ms: 1.5, p99: 2, p99Ms: 4 };
const ROWS_BEFORE_DEEP_PAGE = 500_000;

/**
 * Each query in the query language, and as SQL for the same table. `$host` stands for the physical name of column `host`.
 * @type {{ name: string, q: string, order: string, where: string, by: string }[]}
 */
const QUERIES = [
  { name: 'first page', q: '', order: '', where: 'true', by: '_id' },
  { name: 'filter and order', q: 'port = 443', order: 'host', where: '$port = 443', by: '$host, _id' },
  {
    name: 'range, descending',
    q: 'length >= 99000',
    order: '-length',
    where: '$length >= 99000',
    by: '$length DESC, _id DESC',
  },
  {
    name: 'three conditions',
    q: 'status = 404 AND tls = true AND cdn IS NULL',
    order: '-time',
    where: '$status = 404 AND $tls AND $cdn IS NULL',
    by: '$time DESC, _id DESC',
  },
  { name: 'network', q: 'ip = 10.3.7.0/24', order: 'ip', where: "$ip <<= '10.3.7.0/24'", by: '$ip, _id' },
  { name: 'rare substring', q: 'title LIKE "%needle%"', order: '', where: "$title LIKE '%needle%'", by: '_id' },
];

/**
 * @param {import('./live.mjs').LiveTable} live
 * @param {(line: string) => void} note
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchQueries(live, note) {
  await waitForIndexes(live, note);
  const results = [];
  for (const query of QUERIES) results.push(await compare(live, query, note));
  results.push(await compareDeep(live, note));
  return results;
}

/**
 * Sends the queries until the indexes that the service creates for them are ready.
 * @param {import('./live.mjs').LiveTable} live
 * @param {(line: string) => void} note
 */
async function waitForIndexes(live, note) {
  const startedAt = performance.now();
  for (let readyRounds = 0; readyRounds < 5;) {
    for (const { q, order } of QUERIES) await readPage(live, { q, order });
    await sleep(1000);
    const { results } = await getJson(live, `/datasets/${live.id}/indexes`);
    const areBuilding = results.some((/** @type {{ state: string }} */ { state }) => state !== 'ready');
    readyRounds = areBuilding || results.length === 0 ? 0 : readyRounds + 1;
    if (performance.now() - startedAt > 120_000)
      throw new Error(`The indexes are not ready after 120 s: ${JSON.stringify(results)}`);
  }
  note(`indexes ready after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await live.client.query(`VACUUM (ANALYZE) ${live.table}`);
}

/**
 * @param {import('./live.mjs').LiveTable} live
 * @param {typeof QUERIES[number]} query
 * @param {(line: string) => void} note
 */
async function compare(live, { name, q, order, where, by }, note) {
  const physical = (/** @type {string} */ text) =>
    text.replace(/\$(\w+)/g, (_, column) => live.column.get(column) ?? '');
  const text = `SELECT ${live.columns}, _id FROM ${live.table} WHERE ${physical(where)} ORDER BY ${physical(by)} LIMIT ${PAGE}`;
  const bare = () => live.client.query({ name, text });
  return measureQuery(name, live, { q, order }, bare, note);
}

/**
 * Reads a page after half a million rows by its cursor. The floor is SQL that starts at the same row.
 * @param {import('./live.mjs').LiveTable} live
 * @param {(line: string) => void} note
 */
async function compareDeep(live, note) {
  let cursor;
  for (let seen = 0; seen < ROWS_BEFORE_DEEP_PAGE; seen += 1000) {
    ({ cursor } = await readPage(live, { q: '', order: 'host', page_size: 1000, ...(cursor && { cursor }) }));
  }
  const host = live.column.get('host');
  const { rows } = await live.client.query(
    `SELECT ${host} AS host, _id FROM ${live.table} ORDER BY ${host}, _id OFFSET ${ROWS_BEFORE_DEEP_PAGE - 1} LIMIT 1`,
  );
  const text = `SELECT ${live.columns}, _id FROM ${live.table} WHERE (${host}, _id) > ($1, $2) ORDER BY ${host}, _id LIMIT ${PAGE}`;
  const bare = () => live.client.query({ name: 'deep', text, values: [rows[0].host, rows[0]._id] });
  return measureQuery(`page after ${ROWS_BEFORE_DEEP_PAGE} rows`, live, { q: '', order: 'host', cursor }, bare, note);
}

/**
 * @param {string} name
 * @param {import('./live.mjs').LiveTable} live
 * @param {Record<string, string>} query
 * @param {() => Promise<unknown>} bare
 * @param {(line: string) => void} note
 */
async function measureQuery(name, live, query, bare, note) {
  const url = `${live.api}${pathOf(live, query)}`;
  const runQuery = (/** @type {number} */ seconds) => loadUrl(url, { tokens: [live.token], seconds, connections: 1 });
  await runQuery(1);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await timeRequests(bare, 20);
    rounds.push({ floor: await timeRequests(bare, FLOOR_QUERIES_PER_ROUND), ours: await runQuery(SECONDS_PER_ROUND) });
  }
  const floor = medians(rounds.map((round) => round.floor));
  const ours = medians(rounds.map((round) => round.ours));
  const format = (/** @type {import('./lib/live/time-requests.mjs').Latencies} */ { p50, p99 }) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  note(`${name}: ${format(ours)} (floor ${format(floor)})`);
  return {
    workload: `W6: ${name}`,
    isolation: '',
    ours: format(ours),
    floor: `${format(floor)} (pg)`,
    ratio: ours.p50 / floor.p50,
    goal: `p50 at most the floor plus ${GOAL.p50Ms} ms, p99 at most ${GOAL.p99} times the floor plus ${GOAL.p99Ms} ms`,
    met: ours.p50 <= floor.p50 + GOAL.p50Ms && ours.p99 <= floor.p99 * GOAL.p99 + GOAL.p99Ms,
  };
}

/**
 * @param {import('./live.mjs').LiveTable} live
 * @param {Record<string, string | number>} query
 */
export const readPage = (live, query) => getJson(live, pathOf(live, query));

/**
 * @param {import('./live.mjs').LiveTable} live
 * @param {Record<string, string | number>} query
 */
export const pathOf = ({ id }, query) =>
  `/datasets/${id}/rows?${new URLSearchParams({ page_size: String(PAGE), select: SELECT, ...query })}`;

/**
 * @param {import('./live.mjs').LiveTable} live
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function getJson({ api, token }, path) {
  const response = await fetch(`${api}${path}`, { headers: { authorization: `Token ${token}` } });
  const body = await response.json();
  if (!response.ok) throw new Error(`GET ${path} failed with status ${response.status}: ${JSON.stringify(body)}`);
  return body;
}
