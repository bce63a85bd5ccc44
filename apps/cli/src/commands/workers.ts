import type { Command } from 'commander';
import type { Worker } from '@millrace/client';
import { formatLabels } from '@millrace/contracts/runs/labels-text';
import type { CliContext } from '../cli-context.js';
import { type Fields, formatTime, printDone, printList } from '../print-records.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['workers.list', 'workers.cordon', 'workers.uncordon', 'workers.drain'];

const COLUMNS: Fields<Worker> = {
  ID: ({ id }) => id,
  HOST: ({ host }) => host,
  FLEET: ({ fleet }) => fleet,
  LABELS: ({ labels }) => formatLabels(labels),
  SIZES: ({ sizes }) => sizes.join(','),
  BUSY: ({ busy, slots }) => `${busy}/${slots}`,
  STATE: ({ state }) => state,
  VERSION: ({ version }) => version,
  'LAST SEEN': (worker) => formatTime(worker.last_seen),
};

interface Options {
  json?: boolean;
}

/** Commands about the machines that execute steps. */
export function addWorkers(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'workers', 'list workers, and take them out of service');
  group.add('list', 'list the workers', ['workers list']).action(async ({ json }: Options) => {
    const { results } = await (await group.connect()).workers.list();
    await printList(results, COLUMNS, { json, empty: 'No workers.' });
  });
  group
    .add('cordon <id>', 'give a worker no new work', ['workers cordon w-0123456789abcdef'])
    .action(async (id: string, { json }: Options) => {
      const worker = await (await group.connect()).workers.cordon(id);
      await printDone(`Worker ${id} takes no new work.`, worker, { json });
    });
  group
    .add('uncordon <id>', 'give a cordoned or drained worker work again', ['workers uncordon w-0123456789abcdef'])
    .action(async (id: string, { json }: Options) => {
      const worker = await (await group.connect()).workers.uncordon(id);
      await printDone(`Worker ${id} takes work.`, worker, { json });
    });
  group
    .add('drain <id>', 'give a worker no new work, and return what it has not begun', [
      'workers drain w-0123456789abcdef',
    ])
    .action(async (id: string, { json }: Options) => {
      const worker = await (await group.connect()).workers.drain(id);
      const rest = worker.busy === 0 ? 'It is idle.' : `It still runs ${worker.busy} dispatches; see workers list.`;
      await printDone(`Worker ${id} drains. ${rest}`, worker, { json });
    });
}
