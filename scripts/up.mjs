import { listenAddress, requireFreePort } from './lib/apps/listen-address.mjs';
import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { passCommandStart, takeCommandStart } from './lib/command-start.mjs';
import { formatAddresses } from './lib/format-addresses.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { dataLayout, resolveDataDir, ROOT } from './lib/layout.mjs';
import { checkIsolationSetting, ensureIsolation } from './lib/machine/ensure-isolation.mjs';
import { ensureTools } from './lib/machine/ensure-tools.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { findOrphans } from './lib/process/end-orphans.mjs';
import { formatDuration, phase, runMain } from './lib/report.mjs';
import { settleRunning } from './lib/system/find-running.mjs';
import { prepareDataDir } from './lib/system/prepare-data-dir.mjs';
import { runSystem } from './lib/system/run-system.mjs';
import { startDetached } from './lib/system/start-detached.mjs';

const USAGE = `npm run up -- [options]        installs, builds and starts everything, and prints the addresses

  --detach   return as soon as all services are ready; npm run down stops them
  --single   run all services in one process, for small machines
  --yes      install missing system packages without asking
  --help     show this help

Environment: PORT (8080), HOST (127.0.0.1), PUBLIC_URL, MILLRACE_DATA_DIR (.millrace), and DATABASE_URL, REDIS_URL,
NATS_URL to use servers of your own. WORKER_ISOLATION=off runs the steps of workflows without a sandbox.`;

const report = (/** @type {string} */ line) => console.log(line);

await runMain(async () => {
  const start = takeCommandStart(process.env);
  const flags = parseFlags(['detach', 'single', 'yes', 'help'], process.argv.slice(2), process.env, USAGE);
  if (flags.help) return console.log(USAGE);
  checkIsolationSetting(process.env);
  const layout = dataLayout(resolveDataDir(process.env));
  const running = await settleRunning(layout);
  if (running) {
    const addresses = formatAddresses(running.state?.address ?? '', layout);
    return console.log(`Millrace is already up (process ${running.pid}).\n${addresses}`);
  }
  // The gateway of a killed supervisor occupies the port until it is ended below.
  if (findOrphans(layout).length === 0) await requireFreePort(listenAddress(process.env));

  const { node } = await ensureInstalled(ROOT, report);
  passCommandStart(process.env, start);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  takeCommandStart(process.env);
  prepareDataDir(layout);
  await ensureTools({ env: process.env, yes: flags.yes, report });
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  await ensureIsolation({ env: process.env, layout, report });

  const printReady = (/** @type {string} */ base, /** @type {string} */ hint) => {
    const address = (process.env.PUBLIC_URL || base).replace(/\/$/, '');
    console.log(
      `\nMillrace is up; the start took ${formatDuration(Date.now() - start)}.\n${formatAddresses(address, layout)}\n\n${hint}`,
    );
  };
  if (flags.detach) {
    const base = await startDetached({ layout, single: flags.single, report });
    return printReady(base, 'npm run status shows its processes, npm run down stops it.');
  }
  const mode = flags.single ? 'single' : 'foreground';
  const onReady = (/** @type {{ base: string }} */ { base }) => printReady(base, 'Ctrl-C stops it.');
  return runSystem({ layout, env: process.env, mode, single: flags.single, report, onReady });
});
