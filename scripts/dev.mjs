import { listenAddress, requireFreePort } from './lib/apps/listen-address.mjs';
import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { createChangeApplier } from './lib/dev/apply-changes.mjs';
import { runService } from './lib/dev/run-service.mjs';
import { startDashboard } from './lib/dev/start-dashboard.mjs';
import { watchSources } from './lib/dev/watch-sources.mjs';
import { formatAddresses } from './lib/format-addresses.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { dataLayout, resolveDataDir, ROOT } from './lib/layout.mjs';
import { checkIsolationSetting, ensureIsolation } from './lib/machine/ensure-isolation.mjs';
import { ensureTools } from './lib/machine/ensure-tools.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { findOrphans } from './lib/process/end-orphans.mjs';
import { phase, runMain, UserError } from './lib/report.mjs';
import { SERVICES } from './lib/services.mjs';
import { settleRunning } from './lib/system/find-running.mjs';
import { prepareDataDir } from './lib/system/prepare-data-dir.mjs';
import { runSystem } from './lib/system/run-system.mjs';

const USAGE = `npm run dev -- [options]             like npm run up; after each edit it rebuilds and restarts the affected services,
                                     and the dashboard changes in the browser at once
npm run dev -- <service> [options]   runs one service in this terminal, in place of its copy in a running system

  --single   run all services in one process
  --yes      install missing system packages without asking
  --inspect  with a service: open Node's debugger on 127.0.0.1:9229
  --help     show this help

Services: ${SERVICES.join(', ')}`;

const report = (/** @type {string} */ line) => console.log(line);

await runMain(async () => {
  const args = process.argv.slice(2);
  const service = SERVICES.find((name) => name === args[0]);
  if (args[0] !== undefined && !service && !args[0].startsWith('-')) {
    throw new UserError(`The service "${args[0]}" does not exist. Choose one of: ${SERVICES.join(', ')}.`, 2);
  }
  const flags = parseFlags(['single', 'yes', 'inspect', 'help'], service ? args.slice(1) : args, process.env, USAGE);
  if (flags.help) return console.log(USAGE);
  if (service) return devService(service, flags.inspect);
  if (flags.inspect) throw new UserError('--inspect needs a service, such as: npm run dev -- runs --inspect', 2);
  checkIsolationSetting(process.env);
  const layout = dataLayout(resolveDataDir(process.env));
  if (await settleRunning(layout)) throw new UserError('Millrace is already running. Stop it first: npm run down');
  // The gateway of a killed supervisor occupies the port until it is ended below.
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
    waitForRepair: true,
    onStarted: (running) => {
      const apply = createChangeApplier({ ...running, root: ROOT, node: process.execPath, env, report });
      void watchSources(ROOT, running.signal, apply);
    },
    onReady: async ({ base, system: { supervisor }, signal }) => {
      const started = { root: ROOT, node: process.execPath, env, gateway: base, supervisor, signal };
      const dashboard = await phase(report, 'dashboard', () => startDashboard(started));
      const addresses = formatAddresses(base, layout, dashboard);
      console.log(`\nMillrace is up and watches for edits. Ctrl-C stops it.\n${addresses}\n`);
    },
  });
});

/**
 * @param {string} service
 * @param {boolean} inspect
 */
async function devService(service, inspect) {
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  await runService({ service, layout: dataLayout(resolveDataDir(process.env)), inspect, report });
}
