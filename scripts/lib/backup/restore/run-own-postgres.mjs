import { rmSync } from 'node:fs';
import { ROOT } from '../../layout.mjs';
import { endOrphans } from '../../process/end-orphans.mjs';
import { allotPorts } from '../../servers/allot-ports.mjs';
import { postgresServer } from '../../servers/postgres-server.mjs';
import { SERVERS } from '../../services.mjs';
import { openSystem } from '../../system/open-system.mjs';
import { prepareDataDir } from '../../system/prepare-data-dir.mjs';
import { waitProcessReady } from '../../system/wait-process-ready.mjs';
import { writeJson } from '../../write-json.mjs';

const READY_TIMEOUT_MS = 60_000;

/**
 * Creates a new data directory with keys, and runs its own Postgres while `work` fills it.
 * @param {import('../../layout.mjs').Layout} layout of the new directory; what an interrupted restore left there is removed
 * @param {import('../folder/keys.mjs').Keys} keys
 * @param {import('../../report.mjs').Report} report
 * @param {(url: string) => Promise<void>} work
 */
export async function runOwnPostgres(layout, { secret, masterKeys }, report, work) {
  await endOrphans(layout, Object.keys(SERVERS));
  rmSync(layout.dir, { recursive: true, force: true });
  prepareDataDir(layout);
  // The other secrets are passwords of servers, which are created again.
  writeJson(layout.secrets, { millrace: secret });
  if (masterKeys.length > 0) writeJson(layout.masterKeys, { keys: masterKeys });
  const { supervisor, secrets, stop, kill } = await openSystem(layout, { mode: 'restore', report });
  const stopAtSignal = () => (kill(), process.exit(130));
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, stopAtSignal);
  try {
    const { postgres: port } = await allotPorts(layout.ports, ['postgres']);
    const server = await postgresServer({ root: ROOT, layout, port: Number(port), secrets, durable: true });
    await supervisor.start(server.spec);
    const { signal } = new AbortController();
    await waitProcessReady(supervisor, 'postgres', server.isReady, {
      timeoutMs: READY_TIMEOUT_MS,
      maxDeaths: 3,
      signal,
    });
    await work(server.url);
  } finally {
    await stop();
    for (const signal of signals) process.off(signal, stopAtSignal);
  }
}
