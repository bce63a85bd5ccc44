import type { Command } from 'commander';
import type { Space } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { confirm } from '../confirm.js';
import { formatCount } from '../format-count.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, printDone, printList, printRecord } from '../print-records.js';
import { findSpace } from '../resolve-names.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['spaces.list', 'spaces.get', 'spaces.create', 'spaces.update', 'spaces.delete'];

const COLUMNS: Fields<Space> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  WORKFLOWS: (space) => space.workflows_count,
  PROJECTS: (space) => space.projects_count,
  CREATED: (space) => formatTime(space.created_date),
};
const FIELDS: Fields<Space> = {
  ...COLUMNS,
  DESCRIPTION: ({ description }) => description,
  PLAYGROUND: ({ playground }) => playground,
};

interface Options {
  json?: boolean;
  search?: string;
  name?: string;
  description?: string;
  color?: string;
  yes?: boolean;
}

/** Commands about spaces. */
export function addSpace(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'space', 'list and change spaces, which contain workflows');
  group
    .add('list', 'list your spaces', ['space list', 'space list --search lab --json'])
    .option('--search <text>', 'only those whose name or description contains this text')
    .action(async ({ json, search }: Options) => {
      const client = await group.connect();
      await printList(client.spaces.list(pickDefined({ search })), COLUMNS, { json, empty: 'No spaces.' });
    });
  group
    .add('get', 'show a space', ['space get Playground'])
    .argument('<space>', 'id or name of the space')
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      await printRecord(await client.spaces.get(await findSpace(client, name)), FIELDS, { json });
    });
  group
    .add('create', 'create a space', ['space create Research --description "Trials of the team"'])
    .argument('<name>', 'name of the space')
    .option('--description <text>', 'what it is for')
    .option('--color <color>', 'its color in lists')
    .action(async (name: string, { json, description, color }: Options) => {
      const client = await group.connect();
      const space = await client.spaces.create(pickDefined({ name, description, color }));
      await printDone(`Created the space "${space.name}" (${space.id}).`, space, { json });
    });
  group
    .add('update', 'rename or describe a space', ['space update Research --name Studies'])
    .argument('<space>', 'id or name of the space')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'new description')
    .option('--color <color>', 'new color')
    .action(async (space: string, { json, name, description, color }: Options) => {
      const client = await group.connect();
      const id = await findSpace(client, space);
      await printRecord(await client.spaces.update(id, pickDefined({ name, description, color })), FIELDS, { json });
    });
  group
    .add('delete', 'delete a space with its workflows', ['space delete Research --yes'])
    .argument('<space>', 'id or name of the space')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes }: Options) => {
      const client = await group.connect();
      const space = await client.spaces.get(await findSpace(client, name));
      await confirm(
        `Delete the space "${space.name}" with its ${formatCount(space.workflows_count, 'workflow')}?`,
        yes,
      );
      await client.spaces.delete(space.id);
      await printDone(`Deleted the space "${space.name}".`, { id: space.id, deleted: true }, { json });
    });
}
