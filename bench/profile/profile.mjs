import { SERVICES } from '../../scripts/lib/services.mjs';
import { prepareChains } from '../chains.mjs';
import { renderMarkdown } from '../lib/render-markdown.mjs';
import { listMembers, readUsage } from '../lib/usage/system-usage.mjs';
import { countStatements } from './count-statements.mjs';
import { readThreads } from './read-threads.mjs';
import { sampleAllocations } from './sample-allocations.mjs';

const RUNS = 100;
const WARM_UP_RUNS = 200;
/** For what makes a system slower: counting statements, and sampling allocations. */
const FEW_RUNS = 20;
/** What processors may use for a run of W2, beside its steps. */
const GOAL_MS = 40;

/**
 * Where a run of W2 uses processors: each process and its threads, its reads and writes, its statements, and what it allocates.
 * @param {import('../run.mjs').BenchContext} bench
 * @returns {Promise<import('../run.mjs').Result>}
 */
export async function benchProfile({ system, account, isolation, note }) {
  const runChains = await prepareChains(account);
  await runChains(WARM_UP_RUNS);
  const members = listMembers(system);
  const read = () => ({
    usage: readUsage(members),
    threads: new Map(members.map(({ name, pid }) => [name, readThreads(pid)])),
  });
  const before = read();
  await runChains(RUNS);
  const after = read();
  const statements = await countStatements(system, () => runChains(FEW_RUNS));
  /** @type {Map<string, number>} */
  const allocated = new Map();
  for (const { name, pid } of members.filter((member) => SERVICES.includes(member.name)))
    allocated.set(name, await sampleAllocations(pid, () => runChains(FEW_RUNS)));

  const perRun = (/** @type {number} */ value) => (value / RUNS).toFixed(1);
  const rows = after.usage.map(({ name, cpuMs }, index) => {
    const threads = after.threads.get(name);
    const former = before.threads.get(name);
    const grown = (/** @type {keyof import('./read-threads.mjs').ThreadUse} */ key) =>
      threads && former ? perRun(threads[key] - former[key]) : '';
    const sent = [...(statements.get(name)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
    const bytes = allocated.get(name);
    return [
      ...[name, perRun(cpuMs - (before.usage[index]?.cpuMs ?? NaN)), grown('mainMs'), grown('otherMs')],
      ...[grown('reads'), grown('writes'), sent === 0 ? '' : (sent / FEW_RUNS).toFixed(1)],
      bytes === undefined ? '' : (bytes / FEW_RUNS / 1024).toFixed(0),
    ];
  });
  const headers = ['a run of W2', 'CPU ms', 'main thread', 'others', 'reads', 'writes', 'statements', 'KiB allocated'];
  note(`\n${renderMarkdown(headers, rows)}\n`);
  for (const [service, byText] of statements)
    for (const [text, count] of [...byText].toSorted(([, a], [, b]) => b - a).slice(0, 12))
      note(`${(count / FEW_RUNS).toFixed(2).padStart(6)} ${service}: ${text}`);

  const ours = after.usage.reduce(
    (sum, { name, cpuMs }, index) => (name === 'steps' ? sum : sum + cpuMs - (before.usage[index]?.cpuMs ?? NaN)),
    0,
  );
  const ratio = ours / RUNS / GOAL_MS;
  return {
    workload: 'W2: processor time of a run, beside its steps',
    isolation,
    ours: `${perRun(ours)} ms`,
    floor: `${GOAL_MS} ms`,
    ratio,
    goal: 'at most 1 of the floor',
    met: ratio <= 1,
  };
}
