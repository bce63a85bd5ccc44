import pg from 'pg';
import { vaults } from '../libs/sdk/dist/resources.js';
import { loadUrl } from './lib/load-url.mjs';
import { makeWorkflows } from './lib/make-workflows.mjs';
import { median } from './lib/measure.mjs';

const SIZE = { spaces: 20, workflows: 10_000, memberSpaces: 4 };
const PAGE = 200;
const SECONDS = 2;
const GOAL_MS = 15;

/** By name: the path, the owner's or the member's token, and for the floor what it filters and orders by. */
const LISTS = [
  { path: '/workflows', query: '', order: 'modified_at DESC' },
  { path: '/workflows', query: 'ordering=name&page=50', order: 'name' },
  { path: '/workflows', query: 'search=number 77', order: 'modified_at DESC' },
  { path: '/workflows', query: 'search=a&ordering=-created_date&page=49', order: 'created_at DESC' },
  { path: '/workflows', query: '', order: 'modified_at DESC', member: true },
  { path: '/workflows', query: 'search=number 77&ordering=name', order: 'name', member: true },
  { path: '/workflows', query: 'search=network&ordering=name&page=10', order: 'name', member: true },
  { path: '/vault/workflows', query: '', order: 'modified_at DESC' },
  { path: '/vault/workflows', query: 'ordering=name&page=50', order: 'name' },
  { path: '/vault/workflows', query: 'search=number 77&has_database=false', order: 'modified_at DESC' },
];

/**
 * Latency of pages of a list of 10,000 workflows, one after the other, beside a bare query of the same rows.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchList({ system, account, note }) {
  const client = new pg.Client({ connectionString: system.database });
  await client.connect();
  try {
    const { id: vault } = await account.client.call(vaults.getVault);
    const member = await makeWorkflows(client, vault, SIZE);
    const results = [];
    for (const list of LISTS) {
      const query = new URLSearchParams(`page_size=${PAGE}&${list.query}`);
      const url = `${system.url}/api${list.path}?${query}`;
      const tokens = [list.member ? member : account.token];
      await loadUrl(url, { tokens, seconds: 1, connections: 1 });
      const { p50, p99 } = await loadUrl(url, { tokens, seconds: SECONDS, connections: 1 });
      const floor = await timeBare(client, vault, query, list);
      const name = `${list.path}?${list.query}${list.member ? ' (member)' : ''}`;
      note(`${name}: ${p50.toFixed(1)} ms beside ${floor.toFixed(1)} ms`);
      results.push({
        workload: `GET ${name}`,
        isolation: '',
        ours: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        floor: `p50 ${floor.toFixed(1)} ms (pg, rows alone)`,
        ratio: p50 / floor,
        goal: `p50 under ${GOAL_MS} ms`,
        met: p50 < GOAL_MS,
      });
    }
    return results;
  } finally {
    await client.end();
  }
}

const TIMES = 51;

/**
 * @param {pg.Client} client
 * @param {string} vault
 * @param {URLSearchParams} query
 * @param {{ order: string, member?: boolean }} list
 * @returns {Promise<number>} p50 in milliseconds
 */
async function timeBare(client, vault, query, { order, member = false }) {
  const spaces = member ? SIZE.memberSpaces : SIZE.spaces + 1;
  const values = [vault, spaces, `%${query.get('search') ?? ''}%`, (Number(query.get('page') ?? 1) - 1) * PAGE];
  const text = `
    SELECT w.*, s.name AS space_name FROM workflows.workflow w JOIN workflows.space s ON s.id = w.space_id
    WHERE w.vault_id = $1
      AND w.space_id = ANY(SELECT id FROM workflows.space WHERE vault_id = $1 ORDER BY name LIMIT $2)
      AND ($3 = '%%' OR w.name ILIKE $3 OR w.description ILIKE $3)
    ORDER BY w.${order} LIMIT ${PAGE} OFFSET $4`;
  const times = [];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    await client.query({ name: `bare ${order}`, text, values });
    times.push(performance.now() - began);
  }
  return median(times);
}
