import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { environmentOf } from './lib/process/environment-of.mjs';
import { runMain, UserError } from './lib/report.mjs';
import { SERVICES } from './lib/services.mjs';
import { findRunning } from './lib/system/find-running.mjs';

const USAGE = `npm run inspect -- <view>   shows the pending work of a running system

  outbox    events and jobs that are not relayed yet, and the latest relayed ones
  queues    number of jobs in each BullMQ queue, by state
  streams   number of events that each service has not handled yet`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    { options: { help: { type: 'boolean' } }, allowPositionals: true },
    USAGE,
  );
  const [view] = positionals;
  if (values.help || view === undefined) return console.log(USAGE);
  const environments = readEnvironments();
  switch (view) {
    case 'outbox': {
      const { inspectOutbox } = await import('./lib/inspect/inspect-outbox.mjs');
      return console.log(await inspectOutbox(new Map([...environments].filter(([, env]) => env.DATABASE_URL))));
    }
    case 'queues': {
      const { inspectQueues } = await import('./lib/inspect/inspect-queues.mjs');
      return console.log(await inspectQueues(firstOf(environments)));
    }
    case 'streams': {
      const { inspectStreams } = await import('./lib/inspect/inspect-streams.mjs');
      return console.log(await inspectStreams(environments));
    }
    default:
      throw new UserError(`Unknown view "${view}".\n\n${USAGE}`, 2);
  }
});

/** @param {Map<string, NodeJS.ProcessEnv>} environments */
function firstOf(environments) {
  return [...environments.values()][0] ?? {};
}

/** @returns {Map<string, NodeJS.ProcessEnv>} by service. If one process runs all services, its environment has a password for each. */
function readEnvironments() {
  const running = findRunning(dataLayout(resolveDataDir(process.env)));
  if (!running?.state) throw new UserError('Millrace is not running. Start it first: npm run up');
  const { processes } = running.state;
  return new Map(
    SERVICES.flatMap((service) => {
      const pid = (processes[service] ?? processes.single)?.pid;
      if (pid === undefined) return [];
      const env = environmentOf(pid);
      const password = env[`NATS_PASSWORD_${service.toUpperCase()}`] ?? env.NATS_PASSWORD;
      const databaseUrl = env[`DATABASE_URL_${service.toUpperCase()}`] ?? env.DATABASE_URL;
      return [[service, { ...env, NATS_PASSWORD: password, DATABASE_URL: databaseUrl }]];
    }),
  );
}
