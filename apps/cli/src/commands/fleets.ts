import type { Command } from 'commander';
import type { Fleet } from '@millrace/client';
import { formatLabels } from '@millrace/contracts/runs/labels-text';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { type Fields, printDone, printList } from '../print-records.js';
import { addCommand } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['fleets.list', 'fleets.delete'];

const COLUMNS: Fields<Fleet> = {
  NAME: ({ name }) => name,
  LABELS: ({ labels }) => formatLabels(labels),
  SIZES: ({ sizes }) => sizes.join(','),
  WORKERS: ({ workers }) => workers,
  BUSY: ({ busy, slots }) => `${busy}/${slots}`,
  WAITING: ({ waiting }) => waiting,
  OLDEST: (fleet) => (fleet.waiting === 0 ? '' : `${fleet.oldest_waiting_seconds} s`),
};

/** The command that lists the fleets of workers. */
export function addFleets(program: Command, { env }: CliContext): void {
  addCommand(program, 'fleets', 'list the fleets of workers, and what waits for them', [
    'fleets',
    'fleets --delete old-machines',
  ])
    .option('--delete <name>', 'forget a fleet that has no workers')
    .action(async ({ json, delete: name }: { json?: boolean; delete?: string }) => {
      const client = await connect(env);
      if (name === undefined) {
        const { results } = await client.fleets.list();
        return printList(results, COLUMNS, { json, empty: 'No fleets: no worker has connected yet.' });
      }
      await client.fleets.delete(name);
      await printDone(`Fleet ${name} is forgotten.`, { name }, { json });
    });
}
