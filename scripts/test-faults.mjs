import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { listOpenCases, readResults, saveResults } from './lib/faults/result-file.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { ROOT } from './lib/layout.mjs';
import { ensureTools } from './lib/machine/ensure-tools.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { phase, runMain, UserError } from './lib/report.mjs';
import { abortOnSignal } from './lib/system/abort-on-signal.mjs';
import { cleanEnv } from './lib/test/clean-env.mjs';
import { makeTestFolder } from './lib/test/make-test-folder.mjs';
import { runJest } from './lib/test/run-jest.mjs';
import { removeTestFolder, sweepLeftovers } from './lib/test/sweep-leftovers.mjs';

const USAGE = `npm run test:faults [-- options]   injects faults at every state edge of a run, and checks all invariants after each

  --seed <n>     the order of the cases; random by default
  --case <name>  only the cases whose names begin with this, such as kill-worker or kill-worker-at-report; may be repeated
  --open         only the cases that have not passed yet, according to docs/architecture/reliability.md
  --save         write the results into docs/architecture/reliability.md; cases that did not run keep theirs
  --help         show this

It requires root, because it mounts small file systems in memory. All cases take one to two hours on two cores.`;

const report = (/** @type {string} */ line) => console.log(line);

/** Each lane has a system of its own with two copies of every service, about 3 GB; its cases mostly wait. */
const MAX_LANES = 3;

/** @param {{ seed: string, cases: string[], folders: ReturnType<typeof makeTestFolder>, signal: AbortSignal }} options */
function runLanes({ seed, cases, folders, signal }) {
  const variables = {
    TMPDIR: folders.scratch,
    TEST_SECRETS_FILE: folders.secrets,
    TEST_LOGS_DIR: folders.logs,
    TEST_FAULT_SEED: seed,
    TEST_FAULT_CASES: cases.join(','),
    TEST_FAULT_RESULTS: folders.cases,
  };
  const reporters = ['default', join(ROOT, 'scripts/lib/faults/case-reporter.mjs')];
  const args = [`--maxWorkers=${MAX_LANES}`, ...reporters.map((name) => `--reporters=${name}`)];
  const match = ['--testMatch', '**/e2e/faults/lanes/*.lane.ts'];
  const options = { env: { ...cleanEnv(process.env), ...variables }, results: folders.results, signal, watch: false };
  return runJest([...args, ...match], options);
}

await runMain(async () => {
  const { values } = parseArguments(
    {
      options: {
        seed: { type: 'string' },
        case: { type: 'string', multiple: true },
        open: { type: 'boolean' },
        save: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    },
    USAGE,
  );
  if (values.help) return console.log(USAGE);
  const { seed = String(randomInt(2 ** 31)), open, save } = values;
  const cases = open ? listOpenCases() : (values.case ?? []);
  if (!/^\d+$/.test(seed)) throw new UserError(`--seed must be a whole number (got "${seed}").\n\n${USAGE}`, 2);
  if (open && values.case) throw new UserError(`--open and --case exclude each other.\n\n${USAGE}`, 2);
  if (open && cases.length === 0) return report('All cases have passed.');
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  const signal = abortOnSignal();
  await ensureTools({ env: cleanEnv(process.env), yes: false, report });
  await sweepLeftovers();
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  const folders = makeTestFolder();
  const choice = open ? ' --open' : cases.map((name) => ` --case ${name}`).join('');
  report(`  the same again: npm run test:faults -- --seed ${seed}${choice}`);
  const code = await runLanes({ seed, cases, folders, signal });
  const results = readResults(folders.cases);
  if (save) saveResults(results);
  const ended = results.filter(({ passed }) => passed !== null);
  const failed = ended.filter(({ passed }) => !passed);
  for (const { name } of failed) report(`FAILED: npm run test:faults -- --seed ${seed} --case ${name}`);
  // If Jest is stopped, the systems of its tests still run.
  if (signal.aborted || (failed.length === 0 && code === 0)) await removeTestFolder(folders.folder);
  else report(`The logs are in ${folders.logs}.`);
  if (signal.aborted) report('Stopped before all chosen cases had run.');
  const unknown = cases.filter((start) => !ended.some(({ name }) => name.startsWith(start)));
  if (unknown.length > 0 && !signal.aborted) throw new UserError(`No case begins with ${unknown.join(' or ')}.`);
  report(`\n${ended.length - failed.length} cases passed, ${failed.length} failed`);
  return signal.aborted ? 130 : code;
});
