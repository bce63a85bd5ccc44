import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';

export function addWhoami(program: Command, { env }: CliContext): void {
  program
    .command('whoami')
    .description('show the user and the server that you are signed in to')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const client = await connect(env, program.opts());
      const user = await client.users.me();
      const line = `${user.email} (${user.name}), ${user.vault_role} of the vault, at ${client.baseUrl}`;
      process.stdout.write(json ? `${JSON.stringify({ server: client.baseUrl, user }, null, 2)}\n` : `${line}\n`);
    });
}
