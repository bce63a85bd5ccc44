import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
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
import { checkOut } from './lib/upgrade/check-out.mjs';
import { copyPackages } from './lib/upgrade/copy-packages.mjs';

const USAGE = `npm run test:upgrade [-- REF]   tests the upgrade of a running system from a commit to this checkout

  REF      a commit, branch or tag; default: HEAD~1
  --keep   keep the folder with the logs and the data also if the test passes
  --help   show this help

It installs and builds REF in the temporary folder, starts a system of it with two copies of each service, loads it, applies
the migrations of this checkout while the old processes run, and replaces them one after the other.`;

const report = (/** @type {string} */ line) => console.log(line);

await runMain(async () => {
  const { values, positionals } = parseArguments(
    { options: { keep: { type: 'boolean' }, help: { type: 'boolean' } }, allowPositionals: true },
    USAGE,
  );
  if (values.help) return console.log(USAGE);
  if (positionals.length > 1) throw new UserError(`Name one commit.\n\n${USAGE}`, 2);
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  const signal = abortOnSignal();
  const env = cleanEnv(process.env);
  await ensureTools({ env, yes: false, report });
  await sweepLeftovers();
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  const { folder: from, commit } = await checkOut(positionals[0] ?? 'HEAD~1');
  report(`Upgrading from ${commit}`);
  copyPackages(ROOT, from);
  await ensureInstalled(from, report);
  await phase(report, 'build of the old commit', () => buildWorkspaces(from));
  const folders = makeTestFolder();
  const variables = {
    TMPDIR: folders.scratch,
    TEST_SECRETS_FILE: folders.secrets,
    TEST_LOGS_DIR: folders.logs,
    TEST_UPGRADE_FROM: from,
  };
  const args = ['--runInBand', '--testMatch', '**/e2e/upgrade/*.upgrade.ts'];
  const options = { env: { ...env, ...variables }, results: folders.results, signal, watch: false };
  const code = await runJest(args, options);
  if (values.keep || code !== 0) report(`The logs are in ${folders.logs}.`);
  else await removeTestFolder(folders.folder);
  return signal.aborted ? 130 : code;
});
