import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { confirm } from '../confirm.js';
import { print, toJson } from '../print-records.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['users.regenerateToken'];

interface Options {
  json?: boolean;
  yes?: boolean;
}

/** Commands about the API token of the user. */
export function addToken(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'token', 'create a new API token');
  group
    .add('regenerate', 'create your API token, or replace it; prints the token once', [
      'token regenerate',
      'token regenerate --yes > token.txt',
    ])
    .option('-y, --yes', 'do not ask')
    .action(async ({ json, yes }: Options) => {
      const client = await group.connect();
      await confirm('Create a new API token? The previous one becomes invalid immediately.', yes);
      const created = await client.users.regenerateToken();
      await print(json ? toJson(created) : `${created.token}\n`);
      process.stderr.write('Store this token now; it is not shown again. Clients with the previous one must get it.\n');
    });
}
