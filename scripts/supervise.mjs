import { inspect } from 'node:util';
import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { UserError } from './lib/report.mjs';
import { runSystem } from './lib/system/run-system.mjs';

/**
 * The supervisor of `npm run up -- --detach`: it logs to logs/up.log, and tells the command that started it how far it is
 * for as long as that one listens.
 * @param {import('./lib/system/start-detached.mjs').Message} message
 */
function tell(message) {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** @param {string} line */
function report(line) {
  console.log(`${new Date().toISOString()} ${line}`);
  tell({ line });
}

// Its log is on the disk that may be full: lines that it does not take are lost, and the system goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// The command that waits may be killed; the system goes on without it.
process.on('disconnect', () => undefined);
const { single } = parseFlags(['single'], process.argv.slice(2), {}, '');
try {
  await runSystem({
    layout: dataLayout(resolveDataDir(process.env)),
    env: process.env,
    mode: single ? 'single, detached' : 'detached',
    single,
    report,
    onReady: ({ base }) => tell({ ready: base }),
  });
} catch (error) {
  const text = error instanceof UserError ? error.message : inspect(error);
  console.error(`${new Date().toISOString()} ${text}`);
  tell({ failed: text });
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
