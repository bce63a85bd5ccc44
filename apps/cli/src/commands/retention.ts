import type { Command } from 'commander';
import type { MillraceClient } from '@millrace/client';
import { MAX_RETENTION_DAYS, MAX_RETENTION_RUNS } from '@millrace/contracts/auth/retention';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseCountUpTo } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'retention.getVault',
  'retention.getSpace',
  'retention.setVault',
  'retention.setSpace',
  'retention.unsetSpace',
];

interface Options {
  space?: string;
  /** From `--days <n>`; false from `--no-days`. */
  days?: number | false;
  runs?: number | false;
  inherit?: boolean;
  json?: boolean;
}

interface Limits {
  days: number | null;
  runs: number | null;
}
type Policy = Limits & { source: 'default' | 'vault' | 'space' };

const FLAGS = ['days', 'no-days', 'runs', 'no-runs'];

/** Shows or sets how long runs are kept. */
export function addRetention(program: Command, { env }: CliContext): void {
  const command = addCommand(program, 'retention', 'show or set how long runs are kept', [
    'retention',
    'retention --days 30 --no-runs',
  ])
    .option('-s, --space <id>', 'of this space instead of the vault')
    .option('--days <n>', 'delete runs this number of days after their end', parseCountUpTo(MAX_RETENTION_DAYS))
    .option('--no-days', 'keep runs of any age')
    .option('--runs <n>', 'keep this number of runs of each workflow', parseCountUpTo(MAX_RETENTION_RUNS))
    .option('--no-runs', 'keep any number of runs')
    .option('--inherit', 'with --space: use the limits of the vault again');
  // Of an option and its negation, commander keeps only the last one.
  const flags = new Set<string>();
  for (const flag of FLAGS) command.on(`option:${flag}`, () => flags.add(flag));
  command.action(async (options: Options) => {
    refuseContradictions(flags, options);
    const client = await connect(env);
    const policy = await changePolicy(client, options);
    await printDone(describePolicy(policy), policy, options);
  });
}

/** @throws CliError if the options of a command contradict each other */
export function refuseContradictions(flags: ReadonlySet<string>, { space, inherit }: Options): void {
  for (const name of ['days', 'runs']) {
    if (flags.has(name) && flags.has(`no-${name}`))
      throw new CliError(`Use either --${name} or --no-${name}, not both.`);
  }
  if (!inherit) return;
  if (space === undefined) throw new CliError('Use --inherit with --space: a vault has no other limits to use.');
  if (flags.size > 0) throw new CliError('Use --inherit without limits: it removes those of the space.');
}

/** Changes the limits that the options name, and keeps the others. */
async function changePolicy(client: MillraceClient, { space, inherit, days, runs }: Options): Promise<Policy> {
  const { retention } = client;
  if (inherit) return retention.unsetSpace(space ?? '');
  const current = await (space === undefined ? retention.getVault() : retention.getSpace(space));
  if (days === undefined && runs === undefined) return current;
  const body = { days: toLimit(days, current.days), runs: toLimit(runs, current.runs) };
  return space === undefined ? retention.setVault(body) : retention.setSpace(space, body);
}

const toLimit = (option: number | false | undefined, current: number | null): number | null =>
  option === undefined ? current : option || null;

const SOURCES = { default: 'default', vault: 'set for the vault', space: 'set for the space' } as const;

/** Describes a policy in a sentence. */
export function describePolicy({ days, runs, source }: Policy): string {
  const rules = [
    ...(days === null ? [] : [`runs are deleted ${count(days, 'day')} after their end`]),
    ...(runs === null
      ? []
      : [`only the newest ${count(runs, 'run')} of each workflow ${runs === 1 ? 'is' : 'are'} kept`]),
  ];
  const text = rules.length === 0 ? 'runs are kept for ever' : rules.join(', and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} (${SOURCES[source]}).`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
