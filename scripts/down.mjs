import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { formatDuration, runMain } from './lib/report.mjs';
import { findRunning } from './lib/system/find-running.mjs';
import { stopRunning } from './lib/system/stop-running.mjs';

await runMain(async () => {
  const layout = dataLayout(resolveDataDir(process.env));
  const start = performance.now();
  if (findRunning(layout)) console.log('Stopping …');
  const { supervised, orphans } = await stopRunning(layout);
  if (orphans.length > 0) console.log(`Ended processes of a killed supervisor: ${orphans.join(', ')}`);
  if (supervised || orphans.length > 0)
    console.log(`Millrace is down; the stop took ${formatDuration(performance.now() - start)}.`);
  else console.log('Millrace is not running.');
});
