import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMain } from '../../scripts/lib/report.mjs';
import { writeJson } from '../../scripts/lib/write-json.mjs';
import { describeMachine } from '../lib/describe-machine.mjs';
import { runShell } from '../lib/run-shell.mjs';
import { stopOnSignal } from '../lib/stop-on-signal.mjs';
import { readBusyMs } from '../lib/usage/read-busy-ms.mjs';
import { installPackages, readVersion } from './install-packages.mjs';
import { measureBoot } from './measure-boots.mjs';
import { measureWorkload } from './measure-workload.mjs';
import { parseOptions, renderUsage } from './parse-options.mjs';
import { describeResult, renderTable } from './render-result.mjs';
import { SYSTEMS } from './systems.mjs';
import { scaleRuns, WORKLOADS } from './workloads.mjs';

const KNOWN = { systems: SYSTEMS, workloads: WORKLOADS };
const IDLE_MS = 10_000;
const MAX_OTHER_PROCESSORS = 0.1;

const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/**
 * @param {string[]} names
 * @param {string} folder
 */
async function createSystems(names, folder) {
  const systems = [];
  for (const name of names) {
    const definition = SYSTEMS[name];
    if (!definition) continue;
    const { label, packages: group, version: versionOf, without = [], create } = definition;
    const packages = group ? await installPackages(group, note) : '';
    const version = versionOf && readVersion(packages, versionOf);
    const system = create({ folder: join(folder, name), packages });
    systems.push({ name, label, ...(version && { version }), without, system });
  }
  return systems;
}

/**
 * @param {import('./parse-options.mjs').Options} options
 * @param {string} folder
 * @returns {Promise<import('./render-result.mjs').PeersResult>}
 */
async function measure(options, folder) {
  const systems = await createSystems(options.systems, folder);
  const otherProcessors = await measureIdle();
  if (otherProcessors > MAX_OTHER_PROCESSORS)
    note(
      `Warning: other programs keep ${otherProcessors.toFixed(2)} processors busy, so the figures mean little. End them.`,
    );
  const stopAll = async () => void (await Promise.all(systems.map(({ system }) => system.stop())));
  try {
    const boots = [];
    for (const { name, system } of systems.slice(1)) {
      const boot = await measureBoot(name, system);
      note(`${name} starts in ${boot.seconds.toFixed(1)} s and has ${boot.memoryMib.toFixed(0)} MiB`);
      boots.push(boot);
    }
    for (const { system } of systems) await system.start();
    const idleProcessors = await measureIdle();
    note(`All systems run; idle, they keep ${idleProcessors.toFixed(2)} processors busy`);
    const fileSystem = (await runShell('stat -f -c %T .', folder)).trim();
    /** @type {import('./render-result.mjs').PeersResult} */
    const result = {
      machine: { ...(await describeMachine()), fileSystem },
      ...{ rounds: options.rounds, otherProcessors, idleProcessors },
      systems: systems.map(({ name, label, version }) => ({ name, label, ...(version && { version }) })),
      ...{ boots, samples: [], failures: [] },
    };
    for (const workload of WORKLOADS.filter(({ name }) => options.workloads.includes(name))) {
      const capable = systems.filter(({ without }) => !without.includes(workload.name));
      if (capable.length === 0) continue;
      note(`Workload ${workload.name}`);
      const { samples, failures } = await measureWorkload(scaleRuns(workload, options.scale), {
        ...{ systems: capable, rounds: options.rounds, folder },
        note: (line) => note(`  ${line}`),
      });
      result.samples.push(...samples);
      result.failures.push(...failures);
      // After each workload, so that an interrupted measurement is not lost.
      if (options.save) writeJson(resolve(options.save), result, 0o644);
    }
    return result;
  } finally {
    await stopAll();
  }
}

async function measureIdle() {
  const before = readBusyMs();
  await sleep(IDLE_MS);
  return (readBusyMs() - before) / IDLE_MS;
}

await runMain(async () => {
  const options = parseOptions(process.argv.slice(2), KNOWN);
  if (options.help) return console.log(renderUsage(KNOWN));
  if (options.save) mkdirSync(dirname(resolve(options.save)), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'millrace-peers-'));
  // If root runs this, PostgreSQL runs as another user, who needs to traverse the folder.
  chmodSync(folder, 0o711);
  // Registered first, so that it runs after all systems have stopped.
  stopOnSignal(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
  for (const name of options.systems) mkdirSync(join(folder, name), { mode: 0o711 });
  try {
    const result = await measure(options, folder);
    console.log(`\n${renderTable(result, WORKLOADS)}\n\n${describeResult(result)}`);
    return result.failures.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
