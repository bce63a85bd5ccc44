import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { event } from '../kit/event.js';
import { description, idParams, name, queryFlag, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';

export const MODULE_TYPES = ['TOOL', 'SCRIPT', 'MODULE'] as const;
export const SCRIPT_TYPES = ['bash', 'python', 'node', 'go'] as const;

/** An input of a library module: what a node made from it takes, in the terms of a node's input. */
export const moduleInput = z.looseObject({
  name: z.string(),
  type: z.enum(['STRING', 'BOOLEAN', 'FILE', 'FOLDER']),
  order: z.number().optional(),
  command: z.string().optional().describe('Flag; empty for a positional argument'),
  value: z.union([z.string(), z.boolean(), z.number()]).optional().describe('Default'),
  description: z.string().optional(),
  required: z.boolean().optional(),
  multi: z.boolean().optional(),
});
export type ModuleInput = z.infer<typeof moduleInput>;

export const moduleOutput = z.looseObject({
  name: z.string(),
  type: z.enum(['FILE', 'FOLDER']),
  order: z.number().optional(),
  parameter_name: z.string().optional(),
  description: z.string().optional(),
});
export type ModuleOutput = z.infer<typeof moduleOutput>;
export type ModuleType = (typeof MODULE_TYPES)[number];

const container = z.looseObject({
  image: z.string().optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  args: z.array(z.string()).optional(),
});
const script = z.looseObject({
  source: z.string(),
  image: z.string().optional(),
  args: z.array(z.string()).optional(),
});

/** What a module runs, apart from its name: one version of it. */
const definition = {
  inputs: z.array(moduleInput).optional(),
  outputs: z.array(moduleOutput).optional(),
  container: container.optional(),
  script: script.optional(),
  script_type: z.enum(SCRIPT_TYPES).optional(),
  output_command: z.string().optional(),
  network: z.boolean().optional().describe('Its nodes may use the network'),
  workflow: z.string().optional().describe('Of a MODULE: the workflow that it wraps'),
  snapshot: z.string().optional().describe('Of a MODULE: the snapshot that it wraps'),
  packages: z
    .looseObject({ apt: z.array(z.string()).optional() })
    .optional()
    .describe('Where its commands come from'),
  help: z.string().optional().describe('How it is used, at length'),
  examples: z
    .array(z.looseObject({ name: z.string() }))
    .optional()
    .describe('What it gives for some inputs'),
};

/** Longest source of a script, in characters. */
const MAX_SCRIPT = 1_000_000;
export const MAX_INPUTS = 100;

/** A name that a port may have, and a property of an object, and a folder. */
export const inputName = text(100, 1).regex(
  /^(?!\.{1,2}$)(?!__proto__$)[^/\u0000-\u001f\u007f]+$/,
  'is no name of an input',
);

const flag = text(255);
/** What a definition may hold that somebody writes; what a published workflow has as a module is as long as that is. */
const bounded = {
  inputs: z
    .array(
      moduleInput.extend({
        name: inputName,
        command: flag.optional(),
        value: z.union([text(65_536), z.boolean(), z.number()]).optional(),
        description: text(2000).optional(),
      }),
    )
    .max(MAX_INPUTS)
    .optional(),
  outputs: z
    .array(moduleOutput.extend({ parameter_name: flag.optional(), description: text(2000).optional() }))
    .max(2)
    .optional(),
  container: container
    .extend({
      image: text(2000).optional(),
      command: z.union([text(2000), z.array(text(2000)).max(100)]).optional(),
      args: z.array(text(2000)).max(100).optional(),
    })
    .optional(),
  script: script
    .extend({
      source: z.string().max(MAX_SCRIPT),
      image: text(2000).optional(),
      args: z.array(text(2000)).max(100).optional(),
    })
    .optional(),
  output_command: flag.optional(),
  packages: z.looseObject({ apt: z.array(text(255, 1)).max(20).optional() }).optional(),
  help: text(20_000).optional(),
  examples: z
    .array(z.looseObject({ name: text(255, 1) }))
    .max(20)
    .optional(),
};

/** What a version of a module holds. The version that a snapshot published is what the nodes of a MODULE run. */
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
      .describe('False for a MODULE whose snapshot is not published any more: new workflows cannot use it'),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'Module' });

/** With `node`: what goes into a workflow's `nodes` as it is, under a name `<module name>-<n>`. */
export const moduleWithNode = module.extend({ node: z.record(z.string(), z.unknown()) }).meta({ id: 'ModuleWithNode' });

export const listModules = operation('workflows.modules.list', {
  method: 'GET',
  path: '/library/module',
  summary: 'Library modules: those that are built in, and those of the vault',
  description:
    '`search` takes words, or the beginnings of words, that all are in name, category or description; the best match comes ' +
    'first unless `ordering` says otherwise. Scripts, help and examples are left out, and inputs, outputs and commands of ' +
    'more than 64 KiB; the module itself has them.',
  access: anyUser,
  query: listQuery(['name', 'type', 'category', 'created_date', 'modified_date'], {
    ordering: '',
    filters: {
      type: z.enum(MODULE_TYPES).optional(),
      category: text(255).optional(),
      built_in: queryFlag.optional(),
    },
  }),
  response: pageOf(module),
  list: 'nullable-links',
});

/** Fields of a new module, or of a new version of one. `yaml` is a tool or script file, and stands alone. */
const written = {
  yaml: z.string().max(1_000_000).optional().describe('A tool or script file; no other field goes with it'),
  type: z.enum(MODULE_TYPES).optional(),
  category: text(255).optional(),
  source_url: text(2000).optional(),
  doc_link: text(2000).optional(),
  license_info: text(2000).optional(),
  ...definition,
  ...bounded,
};

export const createModule = operation('workflows.modules.create', {
  method: 'POST',
  path: '/library/module',
  summary: 'Add a tool, a script, or a module (a published workflow) to the library of the vault',
  description:
    'A TOOL holds `container`, a SCRIPT `script` and `script_type`, a MODULE `snapshot` (or `workflow`, whose newest snapshot ' +
    'is taken); its inputs and outputs come from that snapshot. The body may also be a tool or script file as `application/yaml`.',
  access: anyUser,
  acceptsYaml: true,
  body: z.strictObject({ name: name.optional(), description: description.optional(), ...written }),
  response: moduleWithNode,
  status: 201,
});

export const getModule = operation('workflows.modules.get', {
  method: 'GET',
  path: '/library/module/{id}',
  summary: 'One module, with the node to put into a workflow; `id` may be its name',
  access: anyUser,
  params: idParams,
  response: moduleWithNode,
});

const ofOthers = { "for another's": 'vault.organize' } as const;

export const updateModule = operation('workflows.modules.update', {
  method: 'PATCH',
  path: '/library/module/{id}',
  summary: "Change a module's name or description",
  description: 'Nobody is notified: only a new module and a new version are news.',
  access: anyUser,
  additionalPermissions: ofOthers,
  params: idParams,
  body: z.strictObject({ name: name.optional(), description: description.optional() }),
  response: module,
});

export const deleteModule = operation('workflows.modules.delete', {
  method: 'DELETE',
  path: '/library/module/{id}',
  summary: 'Delete a module of the vault; nodes made from it stay, for each carries its own copy',
  access: anyUser,
  additionalPermissions: ofOthers,
  params: idParams,
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
  summary: 'Versions of a module',
  description: 'What is left out of the list of modules is left out here.',
  access: anyUser,
  params: idParams,
  query: listQuery(['number', 'created_date'], { ordering: '-number', filters: {} }),
  response: pageOf(moduleVersion),
  list: 'nullable-links',
});

export const createModuleVersion = operation('workflows.modules.createVersion', {
  method: 'POST',
  path: '/library/module/{id}/versions',
  summary: 'Add a version to a module; what is unchanged makes none',
  access: anyUser,
  additionalPermissions: ofOthers,
  params: idParams,
  body: z.strictObject(written),
  response: moduleWithNode,
});

export const listModuleUses = operation('workflows.modules.listUses', {
  method: 'GET',
  path: '/library/module/{id}/workflows',
  summary: 'Workflows whose latest version uses a module, in the spaces that the caller may read',
  access: anyUser,
  params: idParams,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: '-modified_date', filters: {} }),
  response: pageOf(
    z
      .object({
        id: z.string(),
        name: z.string(),
        space_info: z.string(),
        space_name: z.string(),
        version: z.string(),
        nodes: z.array(z.string()).describe('Nodes made from the module'),
      })
      .meta({ id: 'ModuleUse' }),
  ),
  list: 'nullable-links',
});

export const listCategories = operation('workflows.modules.listCategories', {
  method: 'GET',
  path: '/library/categories',
  summary: 'Categories of the library with how many modules each has',
  access: anyUser,
  response: z.object({
    results: z.array(z.object({ name: z.string(), count: z.number().int() })),
  }),
});

/** A tool or script of a vault is new, or has a new version. */
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
    at: timestamp.optional().describe('Of the release'),
  }),
});
