import type { DeadLetter, DeadLettersListQuery } from '@millrace/client';
import type { CliContext } from '../../cli-context.js';
import { CliError } from '../../cli-error.js';
import { confirm } from '../../confirm.js';
import { pickDefined } from '../../pick-defined.js';
import { type Fields, formatTime, printDone, printList } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';
import { parseCount } from '../parse-number.js';
import { parseTime } from '../parse-time.js';

const COLUMNS: Fields<DeadLetter> = {
  ID: ({ id }) => id,
  FAILED: (letter) => formatTime(letter.failed_date),
  SERVICE: ({ service }) => service,
  KIND: ({ kind }) => kind,
  NAME: ({ name }) => name,
  ATTEMPTS: ({ attempts }) => attempts,
  RETRYING: ({ retrying }) => (retrying ? true : ''),
  ERROR: ({ error }) => error.split('\n', 1)[0]?.slice(0, 100),
};

interface Options {
  json?: boolean;
  number?: number;
  kind?: string;
  service?: string;
  name?: string;
  before?: string;
  yes?: boolean;
}

type Filters = Pick<DeadLettersListQuery, 'kind' | 'service' | 'name' | 'before'>;

const readFilters = ({ kind, service, name, before }: Options): Filters =>
  pickDefined({ kind: kind as Filters['kind'], service: service as Filters['service'], name, before });

const describe = (count: number): string => `${count} dead ${count === 1 ? 'letter' : 'letters'}`;

export function addDead(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(admin.parent, context, 'dead', 'events and jobs that failed for good');
  const add = (name: string, description: string, examples: string[]) =>
    group
      .add(name, description, examples)
      .option('--kind <kind>', 'only event, or only job')
      .option('--service <service>', 'only those of this service')
      .option('--name <name>', 'only events or jobs with this name')
      .option('--before <time>', 'only those that failed before this date or time', parseTime);

  add('list', 'list what failed for good, newest first', ['admin dead list --service notifications'])
    .option('-n, --number <n>', 'number of entries', parseCount, 50)
    .action(async ({ number = 50, ...options }: Options) => {
      const client = await group.connect();
      const query = { ...readFilters(options), page_size: Math.min(number, 1000) };
      const letters = await client.deadLetters.list(query).toArray(number);
      await printList(letters, COLUMNS, { ...options, empty: 'Nothing has failed for good.' });
    });
  add('retry', 'handle dead events and jobs again', ['admin dead retry --name datasets.exports.write'])
    .argument('[ids...]', 'ids of the entries; or use options to choose them')
    .action(async (ids: string[], options: Options) => {
      const client = await group.connect();
      const result = await client.deadLetters.retry(chooseLetters(ids, options));
      const more = result.remaining > 0 ? ` ${result.remaining} more match: repeat the command.` : '';
      await printDone(`${describe(result.changed)} will be handled again.${more}`, result, options);
    });
  add('drop', 'delete dead events and jobs without their effect', ['admin dead drop --before 2026-11-01 --yes'])
    .argument('[ids...]', 'ids of the entries; or use options to choose them')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (ids: string[], options: Options) => {
      const chosen = chooseLetters(ids, options);
      await confirm('What they would have done does not happen. Drop them?', options.yes);
      const client = await group.connect();
      const result = await client.deadLetters.drop(chosen);
      const more = result.remaining > 0 ? ` ${result.remaining} more match: repeat the command.` : '';
      await printDone(`${describe(result.changed)} dropped.${more}`, result, options);
    });
}

/** @throws CliError if nothing is chosen: an empty choice must not mean everything */
function chooseLetters(ids: string[], options: Options): Filters & { ids?: string[] } {
  const filters = readFilters(options);
  if (ids.length === 0 && Object.keys(filters).length === 0) {
    throw new CliError('Name ids, or choose with --kind, --service, --name or --before.');
  }
  return { ...filters, ...(ids.length > 0 && { ids }) };
}
