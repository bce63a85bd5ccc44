import { listenAddress, requireFreePort } from './lib/apps/listen-address.mjs';
import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { changeApplier } from './lib/dev/apply-changes.mjs';
import { watchSources } from './lib/dev/watch-sources.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { dataLayout, resolveDataDir, ROOT } from './lib/layout.mjs';
import { checkIsolationSetting, ensureIsolation } from './lib/machine/ensure-isolation.mjs';
import { ensureTools } from './lib/machine/ensure-tools.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { addressLines } from './lib/print-addresses.mjs';
import { findOrphans } from './lib/process/end-orphans.mjs';
import { phase, runMain, UserError } from './lib/report.mjs';
import { settleRunning } from './lib/system/find-running.mjs';
import { prepareDataDir } from './lib/system/prepare-data-dir.mjs';
import { runSystem } from './lib/system/run-system.mjs';

const USAGE = `npm run dev -- [options]       like npm run up; rebuilds after each edit and restarts the services it concerns

  --single   run all services in one process
  --yes      install missing system packages without asking
  --help     show this`;

const report = (/** @type {string} */ line) => console.log(line);

await runMain(async () => {
  const flags = parseFlags(['single', 'yes', 'help'], process.argv.slice(2), process.env, USAGE);
  if (flags.help) return console.log(USAGE);
  checkIsolationSetting(process.env);
  const layout = dataLayout(resolveDataDir(process.env));
  if (await settleRunning(layout)) throw new UserError('Millrace is up already: npm run down first.');
  // The gateway that a killed supervisor left behind holds the port until it is ended below.
  if (findOrphans(layout).length === 0) await requireFreePort(listenAddress(process.env));
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  prepareDataDir(layout);
  await ensureTools({ env: process.env, yes: flags.yes, report });
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  await ensureIsolation({ env: process.env, layout, report });
  const env = { ...process.env, NODE_ENV: process.env.NODE_ENV || 'development' };
  return runSystem({
    layout,
    env,
    mode: flags.single ? 'dev, single' : 'dev',
    single: flags.single,
    report,
    patient: true,
    onStarted: (running) => {
      const apply = changeApplier({ ...running, root: ROOT, node: process.execPath, env, report });
      void watchSources(ROOT, running.signal, apply);
    },
    onReady: ({ base }) =>
      console.log(`\nMillrace is up and watches for edits. Ctrl-C stops it.\n${addressLines(base, layout)}\n`),
  });
});
