import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { event } from '../kit/event.js';
import { description, name, queryFlag, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

export const MODULE_TYPES = ['TOOL', 'SCRIPT', 'MODULE'] as const;
export const SCRIPT_TYPES = ['bash', 'python', 'node', 'go'] as const;

const order = z.number().describe('Position among the arguments, or in the user interface');

/** Gives a narrower schema of a field the description of the field. */
const describeLike = <S extends z.ZodType>(schema: S, field: z.ZodType): S => schema.describe(field.description ?? '');

/** An input of a library module, in the format of a node input. */
export const moduleInput = z.looseObject({
  name: z.string().describe('Name of the input, unique in the module'),
  type: z.enum(['STRING', 'BOOLEAN', 'FILE', 'FOLDER']).describe('What the input accepts'),
  order: order.optional(),
  command: z.string().optional().describe('Command-line flag; empty for a positional argument'),
  value: z.union([z.string(), z.boolean(), z.number()]).optional().describe('Default'),
  description: z.string().optional().describe('What the input is for'),
  required: z.boolean().optional().describe('Whether a node must have a value for it'),
  multi: z.boolean().optional().describe('Whether it accepts several values'),
});
export type ModuleInput = z.infer<typeof moduleInput>;

export const moduleOutput = z.looseObject({
  name: z.string().describe('`file` or `folder`'),
  type: z.enum(['FILE', 'FOLDER']).describe('What the output is'),
  order: order.optional(),
  parameter_name: z
    .string()
    .optional()
    .describe('The flag that gets the path of the output, if it is not `output_command`'),
  description: z.string().optional().describe('What the output contains'),
});
export type ModuleOutput = z.infer<typeof moduleOutput>;
export type ModuleType = (typeof MODULE_TYPES)[number];

const container = z
  .looseObject({
    image: z
      .string()
      .optional()
      .describe(
        'Image that contains the command. Workers that run steps in containers use it; others run the command on their machine',
      ),
    command: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('The command as a list, or as a text that is split at spaces'),
    args: z.array(z.string()).optional().describe('Arguments before those of the inputs'),
  })
  .describe('For a TOOL: its command');
const script = z
  .looseObject({
    source: z.string().describe('Source of the script'),
    image: z
      .string()
      .optional()
      .describe('Image that contains the interpreter of the script. Workers that run steps in containers use it'),
    args: z.array(z.string()).optional().describe('Arguments before those of the inputs'),
  })
  .describe('For a SCRIPT: its source');

/** The definition of a module: one version of it, without its name. */
const definition = {
  inputs: z.array(moduleInput).optional().describe('Inputs of its nodes'),
  outputs: z.array(moduleOutput).optional().describe('Outputs of its nodes'),
  container: container.optional(),
  script: script.optional(),
  script_type: z.enum(SCRIPT_TYPES).optional().describe('For a SCRIPT: its language'),
  output_command: z
    .string()
    .optional()
    .describe('For a TOOL: the flag before the output file, or `>` for standard output'),
  network: z.boolean().optional().describe('Whether its nodes may use the network'),
  workflow: z.string().optional().describe('For a MODULE: the workflow that it wraps'),
  snapshot: z.string().optional().describe('For a MODULE: the snapshot that it wraps'),
  packages: z
    .looseObject({ apt: z.array(z.string()).optional().describe('Packages of Debian') })
    .optional()
    .describe('Packages that provide its commands'),
  help: z.string().optional().describe('Detailed usage'),
  examples: z
    .array(z.looseObject({ name: z.string().describe('Name of the example') }))
    .optional()
    .describe('Example inputs with their results'),
};

/** Maximum length of a script source, in characters. */
const MAX_SCRIPT_LENGTH = 1_000_000;
export const MAX_INPUTS = 100;

/** An input name, which must also work as the name of a port, an object key and a folder. */
export const inputName = text(100, 1).regex(
  /^(?!\.{1,2}$)(?!__proto__$)[^/\u0000-\u001f\u007f]+$/,
  'must not contain slashes or control characters, and must not be `.`, `..` or `__proto__`',
);

const flag = text(255);
/** Limits of a definition that a user writes. A module made from a published workflow may be larger. */
const boundedDefinition = {
  inputs: describeLike(
    z
      .array(
        moduleInput.extend({
          name: describeLike(inputName, moduleInput.shape.name),
          command: describeLike(flag.optional(), moduleInput.shape.command),
          value: describeLike(z.union([text(65_536), z.boolean(), z.number()]).optional(), moduleInput.shape.value),
          description: describeLike(text(2000).optional(), moduleInput.shape.description),
        }),
      )
      .max(MAX_INPUTS)
      .optional(),
    definition.inputs,
  ),
  outputs: describeLike(
    z
      .array(
        moduleOutput.extend({
          parameter_name: describeLike(flag.optional(), moduleOutput.shape.parameter_name),
          description: describeLike(text(2000).optional(), moduleOutput.shape.description),
        }),
      )
      .max(2)
      .optional(),
    definition.outputs,
  ),
  container: describeLike(
    container
      .extend({
        image: describeLike(text(2000).optional(), container.shape.image),
        command: describeLike(z.union([text(2000), z.array(text(2000)).max(100)]).optional(), container.shape.command),
        args: describeLike(z.array(text(2000)).max(100).optional(), container.shape.args),
      })
      .optional(),
    container,
  ),
  script: describeLike(
    script
      .extend({
        source: describeLike(z.string().max(MAX_SCRIPT_LENGTH), script.shape.source),
        image: describeLike(text(2000).optional(), script.shape.image),
        args: describeLike(z.array(text(2000)).max(100).optional(), script.shape.args),
      })
      .optional(),
    script,
  ),
  output_command: describeLike(flag.optional(), definition.output_command),
  packages: describeLike(
    z
      .looseObject({ apt: z.array(text(255, 1)).max(20).optional().describe('Packages of Debian, at most 20') })
      .optional(),
    definition.packages,
  ),
  help: describeLike(text(20_000).optional(), definition.help),
  examples: describeLike(
    z
      .array(z.looseObject({ name: text(255, 1).describe('Name of the example') }))
      .max(20)
      .optional(),
    definition.examples,
  ),
};

/** The content of a module version. The nodes of a MODULE run the workflow version that its snapshot published. */
export type ModuleDefinition = z.infer<z.ZodObject<typeof definition>> & { workflow_version_info?: string };

export const module = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    type: z.enum(MODULE_TYPES),
    category: z.string().optional(),
    author: z.string().optional(),
    ...definition,
    vault: z.string().optional().describe('Absent for a built-in module'),
    vault_info: z.looseObject({ id: z.string() }).optional(),
    built_in: z.boolean(),
    version: z.number().int().describe('Number of its latest version'),
    source_url: z.string().optional(),
    doc_link: z.string().optional(),
    license_info: z.string().optional(),
    available: z
      .boolean()
      .optional()
      .describe('False for a MODULE whose snapshot is no longer published: new workflows cannot use it'),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Module' });

const moduleParams = z.strictObject({ id: z.string().describe('Id or name of the module') });

/** A module with the `node` to copy into the `nodes` of a workflow, under a name `<module name>-<n>`. */
export const moduleWithNode = module.extend({ node: z.record(z.string(), z.unknown()) }).meta({ id: 'ModuleWithNode' });

export const listModules = operation('workflows.modules.list', {
  method: 'GET',
  path: '/library/module',
  summary: 'List built-in library modules and those of the vault',
  description:
    '`search` takes words, or prefixes of words, that must all occur in name, category or description. The best ' +
    'match comes first unless `ordering` is set. The list omits scripts, help and examples, and any inputs, ' +
    'outputs and commands above 64 KiB; `GET /library/module/{id}` has them.',
  access: anyUser,
  query: listQuery(['name', 'type', 'category', 'created_date', 'modified_date'], {
    ordering: '',
    filters: {
      type: z.enum(MODULE_TYPES).optional().describe('Return only modules of this type'),
      category: text(255).optional().describe('Return only modules of this category'),
      built_in: queryFlag
        .optional()
        .describe('Return only built-in modules (`true`), or only those of the vault (`false`)'),
    },
  }),
  response: pageOf(module),
  list: 'nullable-links',
  tool: {
    name: 'search_library',
    guidance:
      'Ready-made steps, such as `sort-lines` or `jq`. Prefer them to own scripts: a node `{uses: <name>}` in a workflow file is filled in from the library. Use `get_library_module` for inputs and outputs.',
  },
});

/** Fields of a new module, or of a new version. `yaml` is a tool or script file and excludes all other fields. */
const moduleFields = {
  yaml: z.string().max(1_000_000).optional().describe('A tool or script file; cannot be combined with other fields'),
  type: z.enum(MODULE_TYPES).optional().describe('Type of the module; derived from the other fields if it is omitted'),
  category: text(255).optional().describe('Category in the library, at most 255 characters'),
  source_url: text(2000).optional().describe('Where the source of the tool is'),
  doc_link: text(2000).optional().describe('Where the documentation of the tool is'),
  license_info: text(2000).optional().describe('License of the tool'),
  ...definition,
  ...boundedDefinition,
};

export const createModule = operation('workflows.modules.create', {
  method: 'POST',
  path: '/library/module',
  summary: 'Add a tool, a script or a module (a published workflow) to the library',
  description:
    'A TOOL needs `container`. A SCRIPT needs `script` and `script_type`. A MODULE needs `snapshot`, or `workflow` ' +
    'to use its newest snapshot; its inputs and outputs come from that snapshot. The body may also be a tool or ' +
    'script file as `application/yaml`.',
  access: anyUser,
  acceptsYaml: true,
  body: z.strictObject({ name: name.optional(), description: description.optional(), ...moduleFields }),
  response: moduleWithNode,
  status: 201,
});

export const getModule = operation('workflows.modules.get', {
  method: 'GET',
  path: '/library/module/{id}',
  summary: 'Get a module with the node to copy into a workflow',
  description: '`id` may also be the name of the module.',
  access: anyUser,
  params: moduleParams,
  response: moduleWithNode,
  tool: { name: 'get_library_module', guidance: 'Shows the inputs, outputs, help and examples of a module.' },
});

const editPermission = { "for another user's module": 'vault.organize' } as const;

export const updateModule = operation('workflows.modules.update', {
  method: 'PATCH',
  path: '/library/module/{id}',
  summary: 'Change the name or description of a module',
  description: 'No notifications are sent; only new modules and versions are announced.',
  access: anyUser,
  additionalPermissions: editPermission,
  params: moduleParams,
  body: z.strictObject({ name: name.optional(), description: description.optional() }),
  response: module,
});

export const deleteModule = operation('workflows.modules.delete', {
  method: 'DELETE',
  path: '/library/module/{id}',
  summary: 'Delete a module of the vault',
  description: 'Existing nodes keep working, because each contains a copy of the module.',
  access: anyUser,
  additionalPermissions: editPermission,
  params: moduleParams,
  response: z.null(),
  status: 204,
});

export const moduleVersion = z
  .looseObject({
    number: z.number().int(),
    author: z.string().optional(),
    created_date: timestamp,
    ...definition,
  })
  .meta({ id: 'ModuleVersion' });

export const listModuleVersions = operation('workflows.modules.listVersions', {
  method: 'GET',
  path: '/library/module/{id}/versions',
  summary: 'List versions of a module',
  description: 'Omits the same fields as the list of modules.',
  access: anyUser,
  params: moduleParams,
  query: listQuery(['number', 'created_date'], { ordering: '-number', filters: {} }),
  response: pageOf(moduleVersion),
  list: 'nullable-links',
});

export const createModuleVersion = operation('workflows.modules.createVersion', {
  method: 'POST',
  path: '/library/module/{id}/versions',
  summary: 'Add a version to a module',
  description: 'Unchanged content creates no version.',
  access: anyUser,
  additionalPermissions: editPermission,
  params: moduleParams,
  body: z.strictObject(moduleFields),
  response: moduleWithNode,
});

export const listModuleUses = operation('workflows.modules.listUses', {
  method: 'GET',
  path: '/library/module/{id}/workflows',
  summary: 'List workflows that use a module',
  description: 'Lists workflows whose latest version uses the module, in the spaces that you may read.',
  access: anyUser,
  params: moduleParams,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(
    z
      .object({
        id: z.string(),
        name: z.string(),
        space_info: z.string(),
        space_name: z.string(),
        version: z.string(),
        nodes: z.array(z.string()).describe('Nodes created from the module'),
      })
      .meta({ id: 'ModuleUse' }),
  ),
  list: 'nullable-links',
});

export const listCategories = operation('workflows.modules.listCategories', {
  method: 'GET',
  path: '/library/categories',
  summary: 'List categories of the library with their number of modules',
  description:
    'Counts built-in modules and those of the vault. Categories are sorted by name; the first 1,000 are listed.',
  access: anyUser,
  response: z.object({
    results: z.array(z.object({ name: z.string(), count: z.number().int() })),
  }),
});

/** A tool or script of a vault was added, or has a new version. */
export const moduleReleased = event('workflows.module.released', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    module: z.uuid(),
    type: z.enum(MODULE_TYPES),
    name: z.string(),
    vault: z.uuid(),
    number: z.number().int(),
    author: z.uuid(),
    at: timestamp.describe('Time of the release'),
  }),
});
