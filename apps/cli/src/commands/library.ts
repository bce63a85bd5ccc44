import { Option, type Command } from 'commander';
import type { Module, ModuleVersion, ModuleWithNode } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { confirm } from '../confirm.js';
import { readText } from '../files/workflow-file.js';
import { pickDefined } from '../pick-defined.js';
import {
  type Fields,
  formatRecord,
  formatRecords,
  formatTime,
  print,
  printDone,
  printList,
  toJson,
} from '../print-records.js';
import { CommandGroup } from './command-group.js';
import { parseCount } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'modules.list',
  'modules.get',
  'modules.create',
  'modules.createVersion',
  'modules.delete',
  'modules.listVersions',
  'modules.listUses',
  'modules.listCategories',
];

const COLUMNS: Fields<Module> = {
  NAME: ({ name }) => name,
  TYPE: ({ type }) => type,
  CATEGORY: ({ category }) => category,
  DESCRIPTION: ({ description }) => shorten(description),
};
const FIELDS: Fields<Module> = {
  NAME: ({ name }) => name,
  ID: ({ id }) => id,
  TYPE: ({ type }) => type,
  CATEGORY: ({ category }) => category,
  DESCRIPTION: ({ description }) => description,
  VERSION: ({ version }) => version,
  'BUILT IN': (module) => module.built_in,
  AVAILABLE: ({ available }) => available,
  SOURCE: (module) => module.source_url,
};
const VERSION_COLUMNS: Fields<ModuleVersion> = {
  VERSION: ({ number }) => number,
  CREATED: (version) => formatTime(version.created_date),
};

interface Options {
  json?: boolean;
  type?: 'TOOL' | 'SCRIPT' | 'MODULE';
  category?: string;
  number?: number;
  module?: string;
  yes?: boolean;
}

const MODULE = ['<module>', 'name or id of the module, as in `uses`'] as const;

/** Commands about the library of tools, scripts and modules. */
export function addLibrary(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'library', 'search and change the library of modules');
  addReading(group);
  addWriting(group);
}

function addReading(group: CommandGroup): void {
  group
    .add('search', 'search modules by words, best match first', [
      'library search sort lines',
      'library search --type TOOL --category network',
    ])
    .argument('[words...]', 'words of their name, category or description')
    .addOption(new Option('--type <type>', 'only modules of this type').choices(['TOOL', 'SCRIPT', 'MODULE']))
    .option('--category <category>', 'only modules of this category')
    .option('-n, --number <n>', 'number of modules', parseCount)
    .action(async (words: string[], { json, type, category, number }: Options) => {
      const client = await group.connect();
      const search = words.length === 0 ? undefined : words.join(' ');
      const modules = client.modules.list(pickDefined({ search, type, category }));
      const found = number === undefined ? modules : await modules.toArray(number);
      await printList(found, COLUMNS, { json, empty: 'No module matches.' });
    });
  group
    .add('categories', 'list categories with their number of modules', ['library categories'])
    .action(async ({ json }: Options) => {
      const client = await group.connect();
      const { results } = await client.modules.listCategories();
      const columns = {
        CATEGORY: ({ name }: { name: string }) => name,
        MODULES: ({ count }: { count: number }) => count,
      };
      await printList(results, columns, { json, empty: 'No categories.' });
    });
  group
    .add('show', 'show a module with its inputs, outputs and examples', ['library show sort-lines'])
    .argument(...MODULE)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const module = await client.modules.get(name);
      await print(json ? toJson(module) : formatModule(module));
    });
  group
    .add('versions', 'list the versions of a module', ['library versions my-tool'])
    .argument(...MODULE)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const { id } = await client.modules.get(name);
      await printList(client.modules.listVersions(id), VERSION_COLUMNS, { json, empty: 'No versions.' });
    });
  group
    .add('uses', 'list the workflows that use a module', ['library uses my-tool'])
    .argument(...MODULE)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const { id } = await client.modules.get(name);
      const columns: Fields<{ id: string; name: string; space_name: string; nodes: string[] }> = {
        WORKFLOW: (use) => use.name,
        ID: (use) => use.id,
        SPACE: (use) => use.space_name,
        NODES: ({ nodes }) => nodes,
      };
      await printList(client.modules.listUses(id), columns, { json, empty: 'No workflow uses it.' });
    });
}

function addWriting(group: CommandGroup): void {
  group
    .add('import', 'add a tool or script file to the library', [
      'library import my-tool.yaml',
      'library import my-tool.yaml --module my-tool',
    ])
    .argument('<file>', 'tool or script file in YAML')
    .option('--module <module>', 'add a version to this module instead')
    .action(async (path: string, { json, module: existing }: Options) => {
      const yaml = await readText(path);
      const client = await group.connect();
      if (existing === undefined) {
        const created = await client.modules.create({ yaml });
        await printDone(`Added ${created.name} (${created.id}) to the library.`, created, { json });
        return;
      }
      const { id } = await client.modules.get(existing);
      const changed = await client.modules.createVersion(id, { yaml });
      await printDone(`${changed.name} is at version ${changed.version}.`, changed, { json });
    });
  group
    .add('delete', 'delete a module of the vault; existing nodes keep working', ['library delete my-tool --yes'])
    .argument(...MODULE)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes }: Options) => {
      const client = await group.connect();
      const module = await client.modules.get(name);
      await confirm(`Delete the module "${module.name}"?`, yes);
      await client.modules.delete(module.id);
      await printDone(`Deleted the module "${module.name}".`, { id: module.id, deleted: true }, { json });
    });
}

type Input = NonNullable<Module['inputs']>[number];
type Output = NonNullable<Module['outputs']>[number];

function formatModule(module: ModuleWithNode): string {
  const inputs: Fields<Input> = {
    INPUT: ({ name }) => name,
    TYPE: ({ type }) => type,
    REQUIRED: ({ required }) => (required ? 'yes' : ''),
    DEFAULT: ({ value }) => value,
    DESCRIPTION: ({ description }) => shorten(description),
  };
  const outputs: Fields<Output> = {
    OUTPUT: ({ name }) => name,
    TYPE: ({ type }) => type,
    DESCRIPTION: ({ description }) => shorten(description),
  };
  return [
    formatRecord(module, FIELDS),
    ...(module.inputs?.length ? [`\n${formatRecords(module.inputs, inputs)}`] : []),
    ...(module.outputs?.length ? [`\n${formatRecords(module.outputs, outputs)}`] : []),
    ...(module.examples?.length ? [`\nExamples: ${module.examples.map(({ name }) => name).join(', ')}\n`] : []),
  ].join('');
}

const MAX_DESCRIPTION_LENGTH = 80;

function shorten(text: string | undefined): string {
  const [line = ''] = (text ?? '').split('\n');
  return line.length <= MAX_DESCRIPTION_LENGTH ? line : `${line.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…`;
}
