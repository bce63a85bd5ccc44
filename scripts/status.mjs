import { formatAddresses } from './lib/format-addresses.mjs';
import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { findOrphans } from './lib/process/end-orphans.mjs';
import { runMain } from './lib/report.mjs';
import { checkProcesses } from './lib/status/check-processes.mjs';
import { countMails, formatMail } from './lib/status/count-mails.mjs';
import { formatRows, isHealthy } from './lib/status/format-rows.mjs';
import { findRunning } from './lib/system/find-running.mjs';

const USAGE = `npm run status   shows every process with its health; exits with 1 if something is not ready

  --help   show this help`;

await runMain(async () => {
  if (parseFlags(['help'], process.argv.slice(2), process.env, USAGE).help) {
    console.log(USAGE);
    return 0;
  }
  const layout = dataLayout(resolveDataDir(process.env));
  const running = findRunning(layout);
  if (!running?.state) {
    const orphans = findOrphans(layout).map(({ name }) => name);
    console.log('Millrace is not running. Start it with: npm run up');
    if (orphans.length > 0)
      console.log(
        `These processes of a killed supervisor are still running: ${orphans.join(', ')}. npm run up ends and replaces them.`,
      );
    return 1;
  }
  const { state, pid } = running;
  const rows = await checkProcesses(layout, state, process.env);
  console.log(`Supervisor ${pid}, ${state.mode}, ${state.phase}\n\n${formatRows(rows, Date.now())}\n`);
  console.log(formatAddresses(state.address ?? '', layout, state.dashboard));
  if (state.mail) console.log(formatMail(state.mail, countMails(state.mail)));
  return rows.every(isHealthy) && state.phase === 'ready' ? 0 : 1;
});
