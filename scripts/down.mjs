import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { formatDuration, runMain } from './lib/report.mjs';
import { findRunning } from './lib/system/find-running.mjs';
import { stopRunning } from './lib/system/stop-running.mjs';

const USAGE = `npm run down   stops everything that npm run up has started; all data stays

  --help   show this help`;

await runMain(async () => {
  if (parseFlags(['help'], process.argv.slice(2), process.env, USAGE).help) return console.log(USAGE);
  const layout = dataLayout(resolveDataDir(process.env));
  const start = performance.now();
  if (findRunning(layout)) console.log('Stopping …');
  const { supervised, orphans } = await stopRunning(layout);
  if (orphans.length > 0) console.log(`Ended processes of a killed supervisor: ${orphans.join(', ')}`);
  if (supervised || orphans.length > 0)
    console.log(`Millrace is down; the stop took ${formatDuration(performance.now() - start)}.`);
  else console.log('Millrace is not running.');
});
