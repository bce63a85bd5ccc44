import type { Command } from 'commander';
import type { Project } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { confirm } from '../confirm.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, printDone, printList, printRecord } from '../print-records.js';
import { findProject, findSpace, listAllProjects } from '../resolve-names.js';
import { findSpaceOrDefault } from './choose-space.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['projects.list', 'projects.get', 'projects.create', 'projects.update', 'projects.delete'];

const COLUMNS: Fields<Project> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  SPACE: (project) => project.space_name,
  WORKFLOWS: (project) => project.workflows_count,
  CREATED: (project) => formatTime(project.created_date),
};
const FIELDS: Fields<Project> = { ...COLUMNS, DESCRIPTION: ({ description }) => description };

interface Options {
  json?: boolean;
  space?: string;
  name?: string;
  description?: string;
  yes?: boolean;
}

const IN_SPACE = ['--space <space>', 'id or name of its space, if several projects have this name'] as const;

/** Commands about projects. */
export function addProject(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'project', 'list and change projects, which group workflows');
  const find = async (name: string, space: string | undefined) => {
    const client = await group.connect();
    const place = space === undefined ? undefined : await findSpace(client, space);
    return { client, project: await client.projects.get(await findProject(client, name, place)) };
  };
  group
    .add('list', 'list projects', ['project list', 'project list --space Research'])
    .option('--space <space>', 'id or name of a space (default: all)')
    .action(async ({ json, space }: Options) => {
      const client = await group.connect();
      const projects =
        space === undefined ? listAllProjects(client) : client.projects.list(await findSpace(client, space));
      await printList(projects, COLUMNS, { json, empty: 'No projects.' });
    });
  group
    .add('get', 'show a project', ['project get "Port scans"'])
    .argument('<project>', 'id or name of the project')
    .option(...IN_SPACE)
    .action(async (name: string, { json, space }: Options) => {
      const { project } = await find(name, space);
      await printRecord(project, FIELDS, { json });
    });
  group
    .add('create', 'create a project', ['project create "Port scans" --space Research'])
    .argument('<name>', 'name of the project')
    .option('--space <space>', 'id or name of its space (default: the playground)')
    .option('--description <text>', 'what it is for')
    .action(async (name: string, { json, space, description }: Options) => {
      const client = await group.connect();
      const place = await findSpaceOrDefault(client, space);
      const project = await client.projects.create(place, pickDefined({ name, description }));
      await printDone(`Created the project "${project.name}" (${project.id}).`, project, { json });
    });
  group
    .add('update', 'rename or describe a project', ['project update "Port scans" --name Scans'])
    .argument('<project>', 'id or name of the project')
    .option(...IN_SPACE)
    .option('--name <name>', 'new name')
    .option('--description <text>', 'new description')
    .action(async (current: string, { json, space, name, description }: Options) => {
      const { client, project } = await find(current, space);
      await printRecord(await client.projects.update(project.id, pickDefined({ name, description })), FIELDS, { json });
    });
  group
    .add('delete', 'delete a project; its workflows stay in the space', ['project delete "Port scans" --yes'])
    .argument('<project>', 'id or name of the project')
    .option(...IN_SPACE)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, space, yes }: Options) => {
      const { client, project } = await find(name, space);
      await confirm(`Delete the project "${project.name}" of the space "${project.space_name}"?`, yes);
      await client.projects.delete(project.id);
      await printDone(`Deleted the project "${project.name}".`, { id: project.id, deleted: true }, { json });
    });
}
