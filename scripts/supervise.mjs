import { inspect } from 'node:util';
import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { UserError } from './lib/report.mjs';
import { runSystem } from './lib/system/run-system.mjs';

/**
 * The supervisor of `npm run up -- --detach`: it logs to logs/up.log, and reports its progress to the command that started
 * it as long as that command is connected.
 * @param {import('./lib/system/start-detached.mjs').Message} message
 */
function notifyStarter(message) {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** @param {string} line */
function report(line) {
  console.log(`${new Date().toISOString()} ${line}`);
  notifyStarter({ line });
}

// The disk of the log may be full. Lines that cannot be written are lost, and the system continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// The waiting command may be killed. The system continues without it.
process.on('disconnect', () => undefined);
const { single } = parseFlags(['single'], process.argv.slice(2), {}, '');
try {
  await runSystem({
    layout: dataLayout(resolveDataDir(process.env)),
    env: process.env,
    mode: single ? 'single, detached' : 'detached',
    single,
    report,
    onReady: ({ base }) => notifyStarter({ ready: base }),
  });
} catch (error) {
  const text = error instanceof UserError ? error.message : inspect(error);
  console.error(`${new Date().toISOString()} ${text}`);
  notifyStarter({ failed: text });
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
