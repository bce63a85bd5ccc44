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
    flag: flag.optional().describe('Precedes the value. Without a flag the value is a positional argument'),
    /** Synonyms of `flag` in the tool files of other platforms. */
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
  .transform(({ flag: ownFlag, command, parameter, default: preset, value, ...input }) => ({
    ...input,
    flag: ownFlag ?? command ?? parameter ?? '',
    default: preset ?? value,
  }))
  .refine((input) => input.type !== 'boolean' || input.flag !== '', {
    path: ['flag'],
    message: 'is required for a boolean input, which has no effect without a flag',
  })
  .refine((input) => input.type !== 'boolean' || ['boolean', 'undefined'].includes(typeof input.default), {
    path: ['default'],
    message: 'must be true or false',
  })
  .refine((input) => !['file', 'folder'].includes(input.type) || input.default === undefined, {
    path: ['default'],
    message: 'is not allowed for a file or a folder',
  });
export type FileInput = z.infer<typeof fileInput>;

const outputs = z.record(
  z.enum(['file', 'folder']),
  z.strictObject({ parameter_name: flag.optional(), description: text(2000).optional() }).nullable(),
);

/** The outputs of a module for some inputs. The tests run every example. */
const example = z
  .strictObject({
    name: text(255, 1),
    inputs: z.record(z.string(), scalar).optional(),
    files: z
      .record(inputName, z.record(path, text(1_000_000)))
      .optional()
      .describe('Contents of files by path, for each FILE or FOLDER input'),
    output: text(1_000_000).optional().describe('The complete content of output.txt'),
    outputs: z.record(path, text(1_000_000)).optional().describe('The content of each output file, by path'),
    matches: text(2000).optional().describe('A regular expression that output.txt matches'),
  })
  .refine(
    ({ output, outputs, matches }) => [output, outputs, matches].filter((one) => one !== undefined).length === 1,
    {
      message: 'must have exactly one of output, outputs and matches',
    },
  );
export type Example = z.infer<typeof example>;

/**
 * A tool or a script as a file. The built-in modules are such files, and `POST /library/module` accepts one as `yaml`. It
 * supports the fields of other platforms' tool and script files, and more. A file with `script` is a script, any other a
 * tool, unless `type` is set.
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
      .describe('The packages that provide its commands'),
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
    const addProblem = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (file.type === 'script') {
      if (file.script === undefined) addProblem('script', 'is required for a script');
      for (const field of ['command', 'docker_image', 'output_command', 'output_parameter'] as const) {
        if (file[field] !== undefined) addProblem(field, 'is not allowed for a script');
      }
    } else {
      if (file.command === undefined && file.docker_image === undefined) {
        addProblem('command', 'is required for a tool without a docker_image');
      }
      for (const field of ['script', 'script_type'] as const)
        if (file[field] !== undefined) addProblem(field, 'is not allowed for a tool');
    }
    if (file.output_command !== undefined && file.output_parameter !== undefined) {
      addProblem('output_parameter', 'must not be set together with output_command');
    }
    const count = Object.keys(file.inputs ?? {}).length;
    if (count > MAX_INPUTS) addProblem('inputs', `must not have more than ${MAX_INPUTS} entries (got ${count})`);
  })
  .superRefine((file, context) => {
    const { output_parameter: target, inputs = {} } = file;
    if (target === undefined || target === '>' || target.startsWith('-')) return;
    if (Object.hasOwn(inputs, target) && inputs[target]?.flag.startsWith('-') === true) return;
    const message = 'must be a flag, such as -o, or the name of an input that has a flag';
    context.addIssue({ code: 'custom', path: ['output_parameter'], message });
  });
export type ModuleFile = z.infer<typeof moduleFile>;

/** A built-in module has more required fields: users find it by its category, and its examples are its tests. */
export const builtInFile = moduleFile.superRefine((file, context) => {
  const addProblem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(file.name)) addProblem(['name'], 'must be in kebab-case');
  for (const field of ['description', 'category', 'help'] as const) {
    if (file[field] === undefined) addProblem([field], 'is required in a built-in module');
  }
  if ((file.examples ?? []).length === 0) addProblem(['examples'], 'must have at least one entry in a built-in module');
  for (const [name, { description }] of Object.entries(file.inputs ?? {})) {
    if (description === undefined) addProblem(['inputs', name, 'description'], 'is required in a built-in module');
  }
});
