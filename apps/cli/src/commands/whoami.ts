import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { addCommand } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['users.me'];

export function addWhoami(program: Command, { env }: CliContext): void {
  addCommand(program, 'whoami', 'show the user and the server that you are signed in to', [
    'whoami',
    'whoami --json',
  ]).action(async ({ json }: { json?: boolean }) => {
    const client = await connect(env);
    const user = await client.users.me();
    const line = `${user.email} (${user.name}), ${user.vault_role} of the vault, at ${client.baseUrl}`;
    process.stdout.write(json ? `${JSON.stringify({ server: client.baseUrl, user }, null, 2)}\n` : `${line}\n`);
  });
}
