import type { ModuleDefinition, ModuleInput, ModuleType } from '@millrace/contracts/workflows/library';

/** The parts of a module that its nodes need. */
export interface NodeSource extends ModuleDefinition {
  id: string;
  name: string;
  type: ModuleType;
}

/** A node's name becomes a directory name, which has at most 255 bytes. */
const MAX_NAME_BYTES = 200;

/**
 * Converts a module to a node, for a workflow's `nodes`, where its `name` is the key. The node contains everything that it
 * needs to run, so a later version or the deletion of the module does not change workflows.
 */
export function toNode(module: NodeSource): Record<string, unknown> & { name: string } {
  const label = nodeNameOf(module.name);
  const { container, script, script_type, output_command, network, workflow_version_info: version } = module;
  return {
    id: module.id,
    name: `${label}-1`,
    type: module.type === 'MODULE' ? 'WORKFLOW' : module.type,
    meta: { label, coordinates: { x: 0, y: 0 } },
    inputs: Object.fromEntries((module.inputs ?? []).map((input, at) => [input.name, toNodeInput(input, at)])),
    outputs: Object.fromEntries((module.outputs ?? []).map(({ name, ...output }) => [name, output])),
    bee_type: 'small',
    ...(container && { container }),
    ...(script && { script }),
    ...(script_type && { script_type }),
    ...(output_command !== undefined && { output_command }),
    ...(network !== undefined && { network }),
    ...(module.type === 'MODULE' && version !== undefined && { workflow: version }),
  };
}

/** An optional input without a default is hidden, because the node is complete without it. */
function toNodeInput({ name: _name, required, ...input }: ModuleInput, at: number): Record<string, unknown> {
  return {
    order: at + 1,
    visible: required === true || input.value !== undefined,
    ...input,
  };
}

function nodeNameOf(name: string): string {
  const safe = name.replace(/[/\u0000-\u001f\u007f]/g, '-');
  return Buffer.from(safe)
    .subarray(0, MAX_NAME_BYTES)
    .toString()
    .replace(/\ufffd+$/, '');
}
