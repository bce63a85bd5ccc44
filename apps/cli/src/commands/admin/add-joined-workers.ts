import type { JoinedWorker } from '@millrace/client';
import { formatLabels } from '@millrace/contracts/runs/labels-text';
import type { CliContext } from '../../cli-context.js';
import { type Fields, formatTime, printDone, printList } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';

const COLUMNS: Fields<JoinedWorker> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  FLEET: ({ fleet }) => fleet,
  LABELS: ({ labels }) => formatLabels(labels),
  SIZES: ({ sizes }) => sizes.join(','),
  TOKEN: (worker) => worker.token_name,
  ADDRESS: ({ address }) => address,
  JOINED: (worker) => formatTime(worker.joined_date),
  'LAST CONNECTED': (worker) => formatTime(worker.last_connected_date),
};

export function addJoinedWorkers(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(admin.parent, context, 'workers', 'workers with credentials of their own');
  group
    .add('list', 'list the workers that have joined with a token', ['admin workers list'])
    .action(async (options: { json?: boolean }) => {
      const client = await group.connect();
      await printList(client.joinedWorkers.list(), COLUMNS, { ...options, empty: 'No workers have joined.' });
    });
  group
    .add('revoke', 'revoke the credentials of a joined worker', ['admin workers revoke j-0123456789abcdef'])
    .argument('<id>', 'id of the worker')
    .action(async (id: string, options: { json?: boolean }) => {
      const client = await group.connect();
      await printDone(
        `Worker ${id} is revoked. Its steps run again on others.`,
        await client.joinedWorkers.revoke(id),
        options,
      );
    });
}
