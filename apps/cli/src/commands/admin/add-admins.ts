import type { Admin } from '@millrace/client';
import type { CliContext } from '../../cli-context.js';
import { type Fields, formatTime, printDone, printList } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';
import { findUser } from './add-users.js';

const COLUMNS: Fields<Admin> = {
  EMAIL: ({ email }) => email,
  NAME: ({ name }) => name,
  'SECOND FACTOR': (admin) => admin.mfa_enabled,
  SINCE: (admin) => formatTime(admin.granted_date),
  'GRANTED BY': (admin) => admin.granted_by ?? 'a command',
};

export function addAdmins(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(
    admin.parent,
    context,
    'admins',
    'list, grant and revoke the role of an administrator',
  );
  group.add('list', 'list administrators', ['admin admins list']).action(async (options: { json?: boolean }) => {
    const client = await group.connect();
    await printList(client.admins.list(), COLUMNS, { ...options, empty: 'No administrators.' });
  });
  group
    .add('grant', 'make a user with an account an administrator', ['admin admins grant user@example.org'])
    .argument('<email>', 'email of the account')
    .action(async (email: string, options: { json?: boolean }) => {
      const client = await group.connect();
      const granted = await client.admins.grant({ email });
      await printDone(`${granted.email} is an administrator.`, granted, options);
    });
  group
    .add('revoke', 'take the role of an administrator away', ['admin admins revoke user@example.org'])
    .argument('<user>', 'id or email')
    .action(async (name: string, options: { json?: boolean }) => {
      const client = await group.connect();
      const result = await client.admins.revoke(await findUser(client, name));
      await printDone(`${name} is no longer an administrator.`, result, options);
    });
}
