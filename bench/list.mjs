import pg from 'pg';
import { vaults } from '@millrace/contracts/resources';
import { loadUrl } from './lib/load-url.mjs';
import { median } from './lib/measure.mjs';
import { seedWorkflows } from './lib/seed-workflows.mjs';

const SIZE = { spaces: 20, workflows: 10_000, memberSpaces: 4 };
const PAGE = 200;
const SECONDS = 2;
const GOAL_MS = 15;
const FLOOR_QUERIES = 51;

/** Lists to read, as the vault's owner or as a member of some spaces. `order` is the ORDER BY of the floor's SQL. */
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
 * Measures the latency of single requests for pages of 10,000 workflows. The floor is an SQL query for the same rows.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchList({ system, account, note }) {
  const client = new pg.Client({ connectionString: system.database });
  await client.connect();
  try {
    const { id: vault } = await account.client.call(vaults.getVault);
    const member = await seedWorkflows(client, vault, SIZE);
    const results = [];
    for (const list of LISTS) {
      const query = new URLSearchParams(`page_size=${PAGE}&${list.query}`);
      const url = `${system.url}/api${list.path}?${query}`;
      const tokens = [list.member ? member : account.token];
      await loadUrl(url, { tokens, seconds: 1, connections: 1 });
      const { p50, p99 } = await loadUrl(url, { tokens, seconds: SECONDS, connections: 1 });
      const floor = await timeBare(client, vault, query, list);
      const name = `${list.path}?${list.query}${list.member ? ' (member)' : ''}`;
      note(`${name}: ${p50.toFixed(1)} ms (floor ${floor.toFixed(1)} ms)`);
      results.push({
        workload: `GET ${name}`,
        isolation: '',
        ours: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        floor: `p50 ${floor.toFixed(1)} ms (pg, the rows only)`,
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
  const latencies = [];
  for (let sent = 0; sent < FLOOR_QUERIES; sent += 1) {
    const startedAt = performance.now();
    await client.query({ name: `bare ${order}`, text, values });
    latencies.push(performance.now() - startedAt);
  }
  return median(latencies);
}
