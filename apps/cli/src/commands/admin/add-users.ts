import type { AdminUser, AdminUsersListQuery, MillraceClient } from '@millrace/client';
import type { CliContext } from '../../cli-context.js';
import { notFound } from '../../cli-error.js';
import { pickDefined } from '../../pick-defined.js';
import { type Fields, formatTime, printDone, printList, printRecord } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';
import { parseCount } from '../parse-number.js';

const COLUMNS: Fields<AdminUser> = {
  EMAIL: ({ email }) => email,
  NAME: ({ name }) => name,
  VAULT: ({ vault }) => vault.name,
  ROLE: ({ vault }) => vault.role,
  STATE: ({ state }) => state,
  ADMIN: (user) => (user.instance_role === 'admin' ? true : ''),
  'LAST SIGN-IN': (user) => formatTime(user.last_sign_in_date),
};
const FIELDS: Fields<AdminUser> = {
  ID: ({ id }) => id,
  ...COLUMNS,
  'VAULT ID': ({ vault }) => vault.id,
  SESSIONS: (user) => user.active_sessions,
  'API TOKEN': (user) => user.has_api_token,
  'SECOND FACTOR': (user) => user.mfa_enabled,
  SUSPENDED: (user) => formatTime(user.suspended_date),
  REASON: (user) => user.suspended_reason,
  CREATED: (user) => formatTime(user.created_date),
};

interface Options {
  json?: boolean;
  search?: string;
  state?: string;
  vault?: string;
  number?: number;
  reason?: string;
}

export function addUsers(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(admin.parent, context, 'users', 'find, suspend and resume users of all vaults');
  group
    .add('list', 'list users, newest first', ['admin users list --search @example.org --state suspended'])
    .option('--search <text>', 'only those whose email or name contains this text')
    .option('--state <state>', 'active, disabled or suspended')
    .option('--vault <id>', 'only users of the vault with this id')
    .option('-n, --number <n>', 'number of users', parseCount, 50)
    .action(async ({ json, search, state, vault, number = 50 }: Options) => {
      const client = await group.connect();
      const query = pickDefined({ search, vault, state: state as AdminUsersListQuery['state'] });
      const users = await client.adminUsers.list({ ...query, page_size: Math.min(number, 1000) }).toArray(number);
      await printList(users, COLUMNS, { json, empty: 'No users.' });
    });
  group
    .add('get', 'show a user', ['admin users get user@example.org'])
    .argument('<user>', 'id or email')
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      await printRecord(await client.adminUsers.get(await findUser(client, name)), FIELDS, { json });
    });
  group
    .add('suspend', 'end all sessions and tokens of a user, who can no longer sign in', [
      'admin users suspend user@example.org --reason "Stolen account"',
    ])
    .argument('<user>', 'id or email')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action(async (name: string, { json, reason = '' }: Options) => {
      const client = await group.connect();
      const user = await client.adminUsers.suspend(await findUser(client, name), { reason });
      await printDone(`${user.email} is suspended.`, user, { json });
    });
  group
    .add('resume', 'let a suspended user sign in again', ['admin users resume user@example.org'])
    .argument('<user>', 'id or email')
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const user = await client.adminUsers.resume(await findUser(client, name));
      await printDone(`${user.email} is ${user.state}.`, user, { json });
    });
  group
    .add('reset-sign-in', 'clear failed attempts to sign in', ['admin users reset-sign-in user@example.org'])
    .argument('<user>', 'id or email')
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const result = await client.adminUsers.resetSignIn(await findUser(client, name));
      await printDone(`${result.cleared} failed attempts were cleared.`, result, { json });
    });
}

/** The id of a user, who is named by it or by their email. */
export async function findUser(client: MillraceClient, name: string): Promise<string> {
  if (!name.includes('@')) return name;
  const email = name.toLowerCase();
  for await (const user of client.adminUsers.list({ search: email })) if (user.email === email) return user.id;
  throw notFound(`No user has the email ${email}.`);
}
