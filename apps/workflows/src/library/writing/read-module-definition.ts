import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { ModuleDefinition, ModuleType } from '@millrace/contracts/workflows/library';
import { omitUndefined } from '@millrace/persistence/omit-undefined';
import type { ModuleInput, ModuleBody } from './read-module.js';

/** Fields that a type has and other types may lack. */
const OWN_FIELDS: Record<ModuleType, readonly (keyof ModuleBody)[]> = {
  TOOL: ['container', 'output_command', 'packages', 'examples', 'network', 'inputs', 'outputs'],
  SCRIPT: ['script', 'script_type', 'packages', 'examples', 'network', 'inputs', 'outputs'],
  MODULE: ['snapshot', 'workflow'],
};

/** The module's type, as given or derived from the fields. @throws ValidationError */
export function readModuleType(body: ModuleBody): ModuleType {
  if (body.type !== undefined) return body.type;
  if (body.script !== undefined) return 'SCRIPT';
  if (body.container !== undefined) return 'TOOL';
  if (body.snapshot !== undefined || body.workflow !== undefined) return 'MODULE';
  throw new ValidationError({ 'body.type': 'is required if there is no container, script, snapshot or workflow' });
}

/** Reads the definition in a request. @throws ValidationError */
export function readModuleDefinition(type: ModuleType, body: ModuleBody): Pick<ModuleInput, 'definition' | 'wraps'> {
  refuseForeignFields(type, body);
  const { snapshot, workflow, help } = body;
  if (type === 'MODULE') return { definition: omitUndefined({ help }), wraps: readWraps(snapshot, workflow) };
  if (type === 'TOOL' && body.container === undefined) throw new ValidationError({ 'body.container': 'is required' });
  if (type === 'SCRIPT' && body.script === undefined) throw new ValidationError({ 'body.script': 'is required' });
  const { container, script, output_command, packages, examples, network } = body;
  const definition: ModuleDefinition = {
    inputs: (body.inputs ?? []).map((input, index) => ({ order: index + 1, ...input })),
    outputs: body.outputs ?? [
      { name: 'file', type: 'FILE', order: 1 },
      { name: 'folder', type: 'FOLDER', order: 2 },
    ],
    ...omitUndefined({ container, script, output_command, packages, help, examples, network }),
    ...(type === 'SCRIPT' && { script_type: body.script_type ?? 'bash' }),
  };
  refuseBadPorts(definition);
  return { definition, wraps: null };
}

function refuseForeignFields(type: ModuleType, body: ModuleBody): void {
  const foreign = [...new Set(Object.values(OWN_FIELDS).flat())].filter((field) => !OWN_FIELDS[type].includes(field));
  const found = foreign.filter((field) => body[field] !== undefined);
  if (found.length === 0) return;
  throw new ValidationError(
    Object.fromEntries(found.map((field) => [`body.${field}`, `is not accepted for a module of type ${type}`])),
  );
}

function refuseBadPorts({ inputs = [], outputs = [] }: ModuleDefinition): void {
  const details: Record<string, string> = {};
  for (const [field, list] of Object.entries({ inputs, outputs })) {
    const seen = new Set<string>();
    for (const [at, { name }] of list.entries()) {
      if (seen.has(name)) details[`body.${field}.${at}.name`] = `must be unique ("${name}" is listed twice)`;
      seen.add(name);
    }
  }
  for (const [at, { name, type }] of outputs.entries()) {
    if (type.toLowerCase() !== name) {
      details[`body.outputs.${at}`] =
        'must be "file" of type FILE or "folder" of type FOLDER; tools and scripts have no other outputs';
    }
  }
  if (Object.keys(details).length > 0) throw new ValidationError(details);
}

function readWraps(snapshot?: string, workflow?: string): ModuleInput['wraps'] {
  if (snapshot !== undefined && workflow !== undefined) {
    throw new ValidationError({ 'body.workflow': 'cannot be combined with `snapshot`; omit one of the two' });
  }
  if (snapshot !== undefined) return { snapshot };
  if (workflow !== undefined) return { workflow };
  throw new ValidationError({
    'body.snapshot': 'is required unless `workflow` is set, whose newest snapshot is then used',
  });
}
