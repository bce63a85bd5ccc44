import { CliError } from '../cli-error.js';
import type { ModuleInputs } from './fetch-module-inputs.js';
import type { FileData } from './workflow-file.js';

export type InputType = 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';

/** Where a value goes: to an input of the workflow, or to one of a node, which changes the workflow itself. */
export type InputPlace =
  | { kind: 'primitive'; type: string }
  | { kind: 'node'; node: string; param: string; type: string };

/** Finds what a key of `execute.inputs` or `--set` means: a primitive's id, its label, or `node.param`. */
export function findInput(data: FileData, key: string, ofModules: ModuleInputs = {}): InputPlace {
  const primitives = Object.entries(data.primitiveNodes);
  const [, byId] = primitives.find(([id]) => id === key) ?? [];
  const [, found] = byId ? [key, byId] : (primitives.find(([, primitive]) => primitive.label === key) ?? []);
  if (found) return { kind: 'primitive', type: found.type };
  for (const [name, node] of Object.entries(data.nodes)) {
    if (!key.startsWith(`${name}.`)) continue;
    const param = key.slice(name.length + 1);
    const inputs = node.inputs as Record<string, { type?: string } | undefined> | undefined;
    const type = ofModules[name]?.[param] ?? inputs?.[param]?.type;
    if (type !== undefined) return { kind: 'node', node: name, param, type };
  }
  const known = primitives.map(([id, { label }]) => label || id);
  throw new CliError(`The workflow has no input "${key}". It has: ${known.join(', ') || 'none'}, and <node>.<input>.`);
}
