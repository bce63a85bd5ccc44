import { z } from 'zod';
import { text } from '@millrace/contracts/kit/fields';
import { inputName, MAX_INPUTS, SCRIPT_TYPES } from '@millrace/contracts/workflows/library';

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const oneOf = <const T extends readonly string[]>(values: T) => z.preprocess(lowerCase, z.enum(values));
const path = text(1024, 1).regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/s, 'must be a relative path without ..');
const scalar = z.union([text(65_536), z.number(), z.boolean()]);
const flag = text(255);

const fileInput = z
  .strictObject({
    type: oneOf(['string', 'boolean', 'file', 'folder']).default('string'),
    flag: flag.optional().describe('Goes before the value; without one the value is a positional argument'),
    /** Other words for `flag`, as tool files of other platforms have them. */
    command: flag.optional(),
    parameter: flag.optional(),
    description: text(2000).optional(),
    default: scalar.optional(),
    value: scalar.optional(),
    required: z.boolean().default(false),
    multi: z.boolean().optional(),
    order: z.number().min(-1_000_000).max(1_000_000).optional(),
    position: z.int().min(0).max(10_000).optional(),
  })
  .transform(({ flag: own, command, parameter, default: preset, value, ...input }) => ({
    ...input,
    flag: own ?? command ?? parameter ?? '',
    default: preset ?? value,
  }))
  .refine((input) => input.type !== 'boolean' || input.flag !== '', {
    path: ['flag'],
    message: 'a boolean needs a flag, or it does nothing',
  })
  .refine((input) => input.type !== 'boolean' || ['boolean', 'undefined'].includes(typeof input.default), {
    path: ['default'],
    message: 'must be true or false',
  })
  .refine((input) => !['file', 'folder'].includes(input.type) || input.default === undefined, {
    path: ['default'],
    message: 'a file or a folder has no default',
  });
export type FileInput = z.infer<typeof fileInput>;

const outputs = z.record(
  z.enum(['file', 'folder']),
  z.strictObject({ parameter_name: flag.optional(), description: text(2000).optional() }).nullable(),
);

/** What a module gives for some inputs; held true by running it. */
const example = z
  .strictObject({
    name: text(255, 1),
    inputs: z.record(z.string(), scalar).optional(),
    files: z
      .record(inputName, z.record(path, text(1_000_000)))
      .optional()
      .describe('Content by path, by FILE or FOLDER input'),
    output: text(1_000_000).optional().describe('All of output.txt'),
    outputs: z.record(path, text(1_000_000)).optional().describe('Content of each file, by path'),
    matches: text(2000).optional().describe('Regular expression that output.txt matches'),
  })
  .refine((given) => [given.output, given.outputs, given.matches].filter((one) => one !== undefined).length === 1, {
    message: 'needs one of output, outputs and matches',
  });
export type Example = z.infer<typeof example>;

/**
 * A tool or a script as a file: how the built-in modules are written, and what `POST /library/module` takes as `yaml`.
 * It holds what tool and script files have elsewhere, and more. Which of the two it is follows from `script`.
 */
export const moduleFile = z
  .strictObject({
    name: text(255, 1),
    type: oneOf(['tool', 'script']).optional(),
    description: text(2000).optional(),
    category: text(255, 1).optional(),
    source_url: text(2000).optional(),
    doc_link: text(2000).optional(),
    license_info: text(2000).optional(),
    packages: z
      .strictObject({ apt: z.array(text(255, 1)).max(20) })
      .optional()
      .describe('Where its commands come from'),
    command: z.union([text(2000, 1), z.array(text(2000)).min(1).max(100)]).optional(),
    docker_image: text(2000, 1).optional(),
    output_command: flag.optional(),
    output_parameter: flag.optional(),
    output_type: oneOf(['file', 'folder']).optional(),
    script_type: oneOf(SCRIPT_TYPES).optional(),
    script: text(1_000_000, 1).optional(),
    network: z.boolean().optional(),
    inputs: z.record(inputName, fileInput).optional(),
    outputs: outputs.optional(),
    help: text(20_000).optional(),
    examples: z.array(example).max(20).optional(),
  })
  .transform(({ type, ...file }) => ({ ...file, type: type ?? (file.script === undefined ? 'tool' : 'script') }))
  .superRefine((file, context) => {
    const wrong = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (file.type === 'script') {
      if (file.script === undefined) wrong('script', 'a script needs its source');
      for (const field of ['command', 'docker_image', 'output_command', 'output_parameter'] as const) {
        if (file[field] !== undefined) wrong(field, 'a script has none');
      }
    } else {
      if (file.command === undefined && file.docker_image === undefined) {
        wrong('command', 'a tool needs a command or a docker_image');
      }
      for (const field of ['script', 'script_type'] as const)
        if (file[field] !== undefined) wrong(field, 'a tool has none');
    }
    if (file.output_command !== undefined && file.output_parameter !== undefined) {
      wrong('output_parameter', 'does not go with output_command');
    }
    if (Object.keys(file.inputs ?? {}).length > MAX_INPUTS) wrong('inputs', `are more than ${MAX_INPUTS}`);
  })
  .superRefine((file, context) => {
    const { output_parameter: target, inputs = {} } = file;
    if (target === undefined || target === '>' || target.startsWith('-')) return;
    if (Object.hasOwn(inputs, target) && inputs[target]?.flag.startsWith('-') === true) return;
    const message = 'is neither a flag nor an input that has one';
    context.addIssue({ code: 'custom', path: ['output_parameter'], message });
  });
export type ModuleFile = z.infer<typeof moduleFile>;

/** A file of the library itself is complete: others find it by its category, and its examples are its tests. */
export const builtInFile = moduleFile.superRefine((file, context) => {
  const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(file.name)) wrong(['name'], 'must be in kebab-case');
  for (const field of ['description', 'category', 'help'] as const) {
    if (file[field] === undefined) wrong([field], 'is required in a built-in module');
  }
  if ((file.examples ?? []).length === 0) wrong(['examples'], 'a built-in module needs one at least');
  for (const [name, { description }] of Object.entries(file.inputs ?? {})) {
    if (description === undefined) wrong(['inputs', name, 'description'], 'is required in a built-in module');
  }
});
