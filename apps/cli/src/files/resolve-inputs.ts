import { isAbsolute, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import type { FileData, InputValue } from './workflow-file.js';

/** Types of the inputs of library modules, by node and name. The workflow file does not declare them. */
export type ModuleInputs = Record<string, Record<string, string>>;

/** Puts a file, or lines, where a run can read it; gives its `millrace://file/…`. */
export interface InputUploader {
  file(path: string): Promise<string>;
  lines(name: string, lines: string[]): Promise<string>;
}

/** One thing that the user has set. Local paths count from `folder`. */
export interface InputAssignment {
  key: string;
  value: InputValue;
  folder: string;
}

export interface ResolvedInputs {
  /** For the run, by primitive id or label. */
  run: Record<string, string | boolean>;
  data: FileData;
}

/** Fits what the user has set to the workflow's inputs and uploads the files among it; later ones win. */
export async function resolveInputs(
  data: FileData,
  given: InputAssignment[],
  upload: InputUploader,
  ofModules: ModuleInputs = {},
): Promise<ResolvedInputs> {
  const changed = structuredClone(data);
  const run: Record<string, string | boolean> = {};
  for (const input of new Map(given.map((one) => [one.key, one])).values()) {
    const place = findInput(data, input.key, ofModules);
    const value = await resolveValue(input, place.type, upload);
    if (place.kind === 'primitive') run[input.key] = value;
    else setNodeInput(changed, place, value);
  }
  return { run, data: changed };
}

function setNodeInput(data: FileData, place: { node: string; param: string }, value: string | boolean): void {
  const node = data.nodes[place.node];
  if (node === undefined) return;
  const inputs = (node['inputs'] ?? {}) as Record<string, unknown>;
  const declared = inputs[place.param];
  const isDeclared = typeof declared === 'object' && declared !== null;
  // Of a node that uses a library module, an input may be a bare value.
  node['inputs'] = { ...inputs, [place.param]: isDeclared ? { ...declared, value } : value };
}

const REMOTE = /^(https?|millrace):\/\//i;

async function resolveValue(input: InputAssignment, type: string, upload: InputUploader): Promise<string | boolean> {
  const { key, value } = input;
  if (Array.isArray(value)) {
    if (type === 'FILE') return upload.lines(`${key.replaceAll(/[^\w.-]+/g, '-')}.txt`, value.map(String));
    throw new CliError(`Input "${key}" takes one value. Use an input of type FILE for a list, with one line per item.`);
  }
  if (type === 'BOOLEAN') return toBoolean(key, value);
  const text = String(value);
  return type === 'FILE' && !REMOTE.test(text) ? uploadLocal(input, text, upload) : text;
}

async function uploadLocal({ key, folder }: InputAssignment, path: string, upload: InputUploader): Promise<string> {
  try {
    return await upload.file(resolve(folder, path));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const counted = isAbsolute(path) ? '' : ` The path "${path}" counts from ${folder}.`;
    throw new CliError(`Input "${key}": ${error.message}${counted}`);
  }
}

function toBoolean(key: string, value: string | number | boolean): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new CliError(`Input "${key}" must be true or false (got "${value}").`);
}

/** Where a value goes: to an input of the workflow, or to one of a node, which changes the workflow itself. */
type InputPlace = { kind: 'primitive'; type: string } | { kind: 'node'; node: string; param: string; type: string };

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
