import { setTimeout as sleep } from 'node:timers/promises';
import { COLUMNS } from './lib/live/make-rows.mjs';
import { medians, timeRequests } from './lib/live/time-requests.mjs';
import { loadUrl } from './lib/load-url.mjs';

const PAGE = 200;
/** The columns that the SQL by hand returns, too. */
const SELECT = [...COLUMNS, '_row'].join(',');
/** Each round measures the query and its floor, because the speed of the machine changes from second to second. */
const ROUNDS = 7;
/** Of each round. */
const TIMES = 200;
const SECONDS = 0.7;
const WAY_MS = 4;
const GOAL = { p50: 1.3, p99: 2 };
/** Rows before the page that is deep. */
const DEEP = 500_000;

/**
 * Each as a user writes it, and as SQL by somebody who knows the table. `$host` and the like are physical names.
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
  await awaitIndexes(live, note);
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
async function awaitIndexes(live, note) {
  const began = performance.now();
  for (let still = 0; still < 5;) {
    for (const { q, order } of QUERIES) await readPage(live, { q, order });
    await sleep(1000);
    const { results } = await getJson(live, `/datasets/${live.id}/indexes`);
    const waiting = results.some((/** @type {{ state: string }} */ { state }) => state !== 'ready');
    still = waiting || results.length === 0 ? 0 : still + 1;
    if (performance.now() - began > 120_000)
      throw new Error(`Indexes are not ready after 120 s: ${JSON.stringify(results)}`);
  }
  note(`indexes after ${((performance.now() - began) / 1000).toFixed(0)} s`);
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
  return measure(name, live, { q, order }, bare, note);
}

/**
 * A page after half a million rows, by its cursor, beside the first page of the same order and beside SQL that knows where
 * it begins.
 * @param {import('./live.mjs').LiveTable} live
 * @param {(line: string) => void} note
 */
async function compareDeep(live, note) {
  let cursor;
  for (let seen = 0; seen < DEEP; seen += 1000) {
    ({ cursor } = await readPage(live, { q: '', order: 'host', page_size: 1000, ...(cursor && { cursor }) }));
  }
  const host = live.column.get('host');
  const { rows } = await live.client.query(
    `SELECT ${host} AS host, _id FROM ${live.table} ORDER BY ${host}, _id OFFSET ${DEEP - 1} LIMIT 1`,
  );
  const text = `SELECT ${live.columns}, _id FROM ${live.table} WHERE (${host}, _id) > ($1, $2) ORDER BY ${host}, _id LIMIT ${PAGE}`;
  const bare = () => live.client.query({ name: 'deep', text, values: [rows[0].host, rows[0]._id] });
  return measure(`page after ${DEEP} rows`, live, { q: '', order: 'host', cursor }, bare, note);
}

/**
 * @param {string} name
 * @param {import('./live.mjs').LiveTable} live
 * @param {Record<string, string>} query
 * @param {() => Promise<unknown>} bare
 * @param {(line: string) => void} note
 */
async function measure(name, live, query, bare, note) {
  const url = `${live.api}${pathOf(live, query)}`;
  const runQuery = (/** @type {number} */ seconds) => loadUrl(url, { tokens: [live.token], seconds, connections: 1 });
  await runQuery(1);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await timeRequests(bare, 20);
    rounds.push({ floor: await timeRequests(bare, TIMES), taken: await runQuery(SECONDS) });
  }
  const floor = medians(rounds.map((round) => round.floor));
  const taken = medians(rounds.map((round) => round.taken));
  const ms = (/** @type {import('./lib/live/time-requests.mjs').Times} */ { p50, p99 }) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  note(`${name}: ${ms(taken)} beside ${ms(floor)}`);
  return {
    workload: `W6 ${name}`,
    isolation: '',
    ours: ms(taken),
    floor: `${ms(floor)} (SQL by hand)`,
    ratio: taken.p50 / floor.p50,
    goal: `p50 ${GOAL.p50}, p99 ${GOAL.p99} times, and ${WAY_MS} ms`,
    met: taken.p50 <= floor.p50 * GOAL.p50 + WAY_MS && taken.p99 <= floor.p99 * GOAL.p99 + WAY_MS,
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
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}
