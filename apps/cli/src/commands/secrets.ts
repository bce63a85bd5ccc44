import { Option, type Command } from 'commander';
import type { MillraceClient, SecretVariable } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { confirm } from '../confirm.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, printDone, printList } from '../print-records.js';
import { readSecret } from '../read-secret.js';
import { findSpace } from '../resolve-names.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['secrets.list', 'secrets.create', 'secrets.update', 'secrets.delete'];

const COLUMNS: Fields<SecretVariable> = {
  NAME: ({ name }) => name,
  SCOPE: (secret) => secret.scope_type,
  SPACE: ({ space }) => space,
  MODIFIED: (secret) => formatTime(secret.modified_date),
  ID: ({ id }) => id,
};

interface Options {
  json?: boolean;
  space?: string;
  scope?: Scope;
  yes?: boolean;
}
type Scope = 'vault' | 'space' | 'user';

const addScope = (command: Command, what: string): Command =>
  command
    .option('--space <space>', `${what} of this space`)
    .addOption(new Option('--scope <scope>', `${what} of the vault, or only yours`).choices(['vault', 'user']));

/** Commands about secret variables. Nothing ever prints a value, and no argument contains one. */
export function addSecrets(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'secrets', 'list and set secret variables');
  addScope(
    group.add('list', 'list secret variables, without their values', ['secrets list --space Research']),
    'those',
  ).action(async ({ json, ...options }: Options) => {
    const client = await group.connect();
    const { results } = await client.secrets.list(await findScope(client, options));
    await printList(results, COLUMNS, { json, empty: 'No secret variables.' });
  });
  addScope(
    group.add('set', 'create a secret variable or replace its value, which is read from standard input', [
      'secrets set API_KEY --space Research',
      'secrets set TLS_KEY --scope vault < key.pem',
    ]),
    'the variable',
  )
    .argument('<name>', 'name of the variable: ${{vars.NAME}} in a workflow')
    .action(async (name: string, { json, ...options }: Options) => {
      const client = await group.connect();
      const scope = { scope_type: 'vault' as const, ...(await findScope(client, options)) };
      const value = await readSecret(`Value of ${name}: `);
      if (value === '') throw new CliError('The value is empty. Nothing was changed.');
      const found = await findSecret(client, name, scope);
      const secret = found
        ? await client.secrets.update(found.id, { value })
        : await client.secrets.create({ name, value, ...scope });
      await printDone(`${found ? 'Changed' : 'Created'} ${name} of the ${secret.scope_type}.`, secret, { json });
    });
  addScope(group.add('rm', 'delete a secret variable', ['secrets rm API_KEY --space Research --yes']), 'the variable')
    .argument('<name>', 'name of the variable')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes, ...options }: Options) => {
      const client = await group.connect();
      const scope = { scope_type: 'vault' as const, ...(await findScope(client, options)) };
      const secret = await findSecret(client, name, scope);
      if (!secret) throw notFound(`The ${scope.scope_type} has no secret variable "${name}".`);
      await confirm(`Delete the secret variable ${name} of the ${scope.scope_type}?`, yes);
      await client.secrets.delete(secret.id);
      await printDone(`Deleted ${name} of the ${scope.scope_type}.`, { id: secret.id, deleted: true }, { json });
    });
}

interface SecretScope {
  scope_type?: Scope;
  space?: string;
}

async function findScope(client: MillraceClient, { space, scope }: Options): Promise<SecretScope> {
  if (space !== undefined && scope !== undefined) throw new CliError('Use either --space or --scope, not both.');
  if (space !== undefined) return { scope_type: 'space', space: await findSpace(client, space) };
  return pickDefined({ scope_type: scope });
}

async function findSecret(client: MillraceClient, name: string, scope: SecretScope) {
  const { results } = await client.secrets.list(scope);
  return results.find((secret) => secret.name === name);
}
