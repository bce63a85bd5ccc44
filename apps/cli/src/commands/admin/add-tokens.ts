import type { AdminToken } from '@millrace/client';
import type { CliContext } from '../../cli-context.js';
import { type Fields, formatTime, printDone, printList } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';
import { parseCountUpTo } from '../parse-number.js';

const MAX_DAYS = 90;

const COLUMNS: Fields<AdminToken> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  SCOPE: ({ scope }) => scope,
  PREFIX: ({ prefix }) => prefix,
  EXPIRES: (token) => formatTime(token.expires_date),
};

export function addTokens(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(
    admin.parent,
    context,
    'tokens',
    'tokens with which scripts administer the installation',
  );
  group.add('list', 'list your admin tokens', ['admin tokens list']).action(async (options: { json?: boolean }) => {
    const client = await group.connect();
    await printList(client.adminTokens.list(), COLUMNS, { ...options, empty: 'No admin tokens.' });
  });
  group
    .add('create', 'create an admin token, and print it', ['admin tokens create nightly-check --scope write --days 7'])
    .argument('<name>', 'name of the token')
    .option('--scope <scope>', 'read, or write for a token that may change something', 'read')
    .option('--days <n>', 'days until it expires', parseCountUpTo(MAX_DAYS), 30)
    .action(async (name: string, options: { json?: boolean; scope: string; days: number }) => {
      const client = await group.connect();
      const scope = options.scope as AdminToken['scope'];
      const created = await client.adminTokens.create({ name, scope, days: options.days });
      await printDone(created.token, created, options);
    });
  group
    .add('revoke', 'revoke an admin token', ['admin tokens revoke 01996a52-5cb0-7aaa-9f10-1a2b3c4d5e6f'])
    .argument('<id>', 'id of the token')
    .action(async (id: string, options: { json?: boolean }) => {
      const client = await group.connect();
      await printDone('The token is revoked.', await client.adminTokens.revoke(id), options);
    });
}
