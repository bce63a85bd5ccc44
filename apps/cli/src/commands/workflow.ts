import type { Command } from 'commander';
import {
  type MillraceClient,
  type ModuleWithNode,
  NotFoundError,
  type VersionSummary,
  type Workflow,
} from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { confirm } from '../confirm.js';
import { formatVersionDiff } from '../format-version-diff.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, print, printDone, printList, printRecord, toJson } from '../print-records.js';
import { findProject, findSpace, findVersion, findWorkflow } from '../resolve-names.js';
import { chooseSpace } from './choose-space.js';
import { CommandGroup } from './command-group.js';
import { parseCount } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'workflows.list',
  'workflows.get',
  'workflows.create',
  'workflows.update',
  'workflows.delete',
  'workflows.move',
  'workflows.copy',
  'versions.list',
  'versions.diff',
  'versions.restore',
  'snapshots.create',
  'modules.get',
  'modules.create',
  'modules.createVersion',
];

const COLUMNS: Fields<Workflow> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  SPACE: (workflow) => workflow.space_name,
  PROJECT: (workflow) => workflow.project_name,
  'LAST RUN': (workflow) => workflow.last_execution_status,
  MODIFIED: (workflow) => formatTime(workflow.modified_date),
};
const FIELDS: Fields<Workflow> = {
  ...COLUMNS,
  VERSION: (workflow) => workflow.latest_version_info,
  DESCRIPTION: ({ description }) => description,
  SCHEDULE: ({ schedule_info: schedule }) =>
    schedule && `${schedule.cron ?? schedule.repeat_period ?? ''}${schedule.enabled ? '' : ' (disabled)'}`,
  CREATED: (workflow) => formatTime(workflow.created_date),
};
const VERSION_COLUMNS: Fields<VersionSummary> = {
  VERSION: ({ number }) => number,
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  PUBLISHED: ({ snapshot }) => (snapshot ? 'yes' : ''),
  RUNS: (version) => version.run_count,
  CREATED: (version) => formatTime(version.created_date),
};

interface Options {
  module?: string;
  json?: boolean;
  search?: string;
  space?: string;
  project?: string;
  name?: string;
  description?: string;
  fromVersion?: string;
  number?: number;
  yes?: boolean;
}

/** Commands about workflows and their versions. */
export function addWorkflow(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'workflow', 'list and change workflows and their versions');
  addReading(group);
  addWriting(group);
  addPlacing(group);
  addVersions(group);
}

const WORKFLOW = ['<workflow>', 'id or name of the workflow'] as const;

function addReading(group: CommandGroup): void {
  group
    .add('list', 'list workflows', ['workflow list', 'workflow list --space Research --search scan'])
    .option('--space <space>', 'only those of this space')
    .option('--project <project>', 'only those of this project')
    .option('--search <text>', 'only those whose name or description contains this text')
    .action(async ({ json, search, ...options }: Options) => {
      const client = await group.connect();
      const query = pickDefined({ search, ...(await findPlace(client, options)) });
      await printList(client.workflows.list(query), COLUMNS, { json, empty: 'No workflows.' });
    });
  group
    .add('get', 'show a workflow', ['workflow get "Port scan"', 'workflow get "Port scan" --json'])
    .argument(...WORKFLOW)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      await printRecord(await client.workflows.get(await findWorkflow(client, name)), FIELDS, { json });
    });
}

function addWriting(group: CommandGroup): void {
  group
    .add('create', 'create an empty workflow', [
      'workflow create "Port scan" --space Research --description "All ports, weekly"',
    ])
    .argument('<name>', 'name of the workflow')
    .option('--space <space>', 'its space (default: the playground)')
    .option('--project <project>', 'its project')
    .option('--description <text>', 'what it does')
    .action(async (name: string, { json, description, ...options }: Options) => {
      const client = await group.connect();
      const { space, project } = await findPlace(client, options);
      const body = pickDefined({ name, description, project_info: project });
      const workflow = await client.workflows.create(space ?? (await chooseSpace(client, undefined)), body);
      await printDone(`Created the workflow "${workflow.name}" (${workflow.id}).`, workflow, { json });
    });
  group
    .add('update', 'rename or describe a workflow', ['workflow update "Port scan" --name "Full scan"'])
    .argument(...WORKFLOW)
    .option('--name <name>', 'new name')
    .option('--description <text>', 'new description')
    .action(async (current: string, { json, name, description }: Options) => {
      const client = await group.connect();
      const id = await findWorkflow(client, current);
      await printRecord(await client.workflows.update(id, pickDefined({ name, description })), FIELDS, { json });
    });
  group
    .add('delete', 'delete a workflow with its versions; its runs remain', ['workflow delete "Port scan" --yes'])
    .argument(...WORKFLOW)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes }: Options) => {
      const client = await group.connect();
      const workflow = await client.workflows.get(await findWorkflow(client, name));
      await confirm(`Delete the workflow "${workflow.name}" of the space "${workflow.space_name}"?`, yes);
      await client.workflows.delete(workflow.id);
      await printDone(`Deleted the workflow "${workflow.name}".`, { id: workflow.id, deleted: true }, { json });
    });
}

function addPlacing(group: CommandGroup): void {
  group
    .add('move', 'move a workflow with its versions and runs', ['workflow move "Port scan" --space Research'])
    .argument(...WORKFLOW)
    .requiredOption('--space <space>', 'the space to move it to')
    .option('--project <project>', 'the project to move it to (default: none)')
    .action(async (name: string, { json, ...options }: Options) => {
      const client = await group.connect();
      const id = await findWorkflow(client, name);
      const { space = '', project = null } = await findPlace(client, options);
      const moved = await client.workflows.move(id, { space, project });
      await printDone(`Moved the workflow "${moved.name}" to the space "${moved.space_name}".`, moved, { json });
    });
  group
    .add('copy', 'copy a workflow', ['workflow copy "Port scan" --space Research --name "Port scan 2"'])
    .argument(...WORKFLOW)
    .option('--space <space>', 'the space of the copy (default: that of the workflow)')
    .option('--project <project>', 'the project of the copy')
    .option('--name <name>', 'name of the copy')
    .option('--from-version <version>', 'number or id of the version to copy (default: the latest)')
    .action(async (name: string, { json, fromVersion: version, name: copyName, ...options }: Options) => {
      const client = await group.connect();
      const id = await findWorkflow(client, name);
      const version_id = version === undefined ? undefined : await findVersion(client, id, version);
      const body = pickDefined({ name: copyName, version_id, ...(await findPlace(client, options)) });
      const copy = await client.workflows.copy(id, body);
      await printDone(`Copied to "${copy.name}" (${copy.id}) in the space "${copy.space_name}".`, copy, { json });
    });
}

function addVersions(group: CommandGroup): void {
  group
    .add('versions', 'list the versions of a workflow, latest first', ['workflow versions "Port scan" -n 5'])
    .argument(...WORKFLOW)
    .option('-n, --number <n>', 'only the latest ones', parseCount)
    .action(async (name: string, { json, number }: Options) => {
      const client = await group.connect();
      const list = client.versions.list(await findWorkflow(client, name), { ordering: '-number' });
      const versions = number === undefined ? list : await list.toArray(number);
      await printList(versions, VERSION_COLUMNS, { json, empty: 'No versions.' });
    });
  group
    .add('diff', 'show what differs between two versions', [
      'workflow diff "Port scan" 3',
      'workflow diff "Port scan" 3 5 --json',
    ])
    .argument(...WORKFLOW)
    .argument('<from>', 'number or id of a version')
    .argument('[to]', 'number or id of another version', 'latest')
    .action(async (name: string, from: string, to: string, { json }: Options) => {
      const client = await group.connect();
      const id = await findWorkflow(client, name);
      const [a, b] = [await findVersion(client, id, from), await findVersion(client, id, to)];
      const diff = await client.versions.diff(id, a, b);
      await print(json ? toJson(diff) : formatVersionDiff(diff));
    });
  group
    .add('restore', 'save an earlier version again as the latest one', ['workflow restore "Port scan" 3'])
    .argument(...WORKFLOW)
    .argument('<version>', 'number or id of the version')
    .action(async (name: string, version: string, { json }: Options) => {
      const client = await group.connect();
      const id = await findWorkflow(client, name);
      const restored = await client.versions.restore(id, await findVersion(client, id, version));
      await printDone(`The latest version is now ${restored.number}.`, restored, { json });
    });
  group
    .add('publish', 'publish a version in the library of the vault', [
      'workflow publish "Port scan" --name "Port scan 1.0"',
      'workflow publish "Port scan" --module port-scan-all',
    ])
    .argument(...WORKFLOW)
    .argument('[version]', 'number or id of the version', 'latest')
    .option('--name <name>', 'name in the library')
    .option('--description <text>', 'description in the library')
    .option('--module <name>', 'add the version as a module, too, or as a new version of that module')
    .action(async (workflow: string, version: string, { json, name, description, module }: Options) => {
      const client = await group.connect();
      const id = await findWorkflow(client, workflow);
      const found = await findVersion(client, id, version);
      const latest = found === 'latest' ? (await client.workflows.get(id)).latest_version_info : undefined;
      const body = pickDefined({ workflow_version_info: latest ?? found, name, description });
      const existing = module === undefined ? null : await findModule(client, module);
      const snapshot = await client.snapshots.create(id, body);
      const added = module === undefined ? undefined : await addModule(client, module, existing, snapshot.id);
      const sentence = `Published version ${snapshot.version_number} as "${snapshot.name}".`;
      const advice = added
        ? `Nodes use it by: uses: ${added.name} (version ${added.version} of the module)`
        : `To use it in other workflows, add it as a module: --module <name>`;
      await printDone(`${sentence}\n${advice}`, pickDefined({ ...snapshot, module: added }), { json });
    });
}

/** Finds the module with a name. @throws CliError, before anything is published, if a workflow cannot be a version of it */
async function findModule(client: MillraceClient, name: string): Promise<ModuleWithNode | null> {
  try {
    const found = await client.modules.get(name);
    if (found.type === 'MODULE' && !found.built_in) return found;
    throw new CliError(`The library already has the ${found.type.toLowerCase()} "${found.name}". Use another name.`);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Adds a published version as a module, or as a version of an existing one. */
const addModule = (
  client: MillraceClient,
  name: string,
  existing: ModuleWithNode | null,
  snapshot: string,
): Promise<ModuleWithNode> =>
  existing === null
    ? client.modules.create({ name, type: 'MODULE', snapshot })
    : client.modules.createVersion(existing.id, { snapshot });

/** Finds the ids of a space and a project that options name. */
async function findPlace(client: MillraceClient, { space, project }: Pick<Options, 'space' | 'project'>) {
  const spaceId = space === undefined ? undefined : await findSpace(client, space);
  const projectId = project === undefined ? undefined : await findProject(client, project, spaceId);
  return pickDefined({ space: spaceId, project: projectId });
}
