import { isAbsolute, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import type { FileData, InputValue } from './workflow-file.js';

/** Types of the inputs of library modules, by node and name. The workflow file does not declare them. */
export type ModuleInputs = Record<string, Record<string, string>>;

/** Stores a local file, a local folder, or lines on the server and returns its address `millrace://file/…`. */
export interface InputUploader {
  file: (path: string) => Promise<string>;
  folder: (path: string) => Promise<string>;
  lines: (name: string, lines: string[]) => Promise<string>;
}

/** The value that the user sets for an input. Relative paths start at `folder`. */
export interface InputAssignment {
  key: string;
  value: InputValue;
  /** Whether the user said that the value is the path of a local file or folder. */
  isFile?: boolean;
  folder: string;
}

export interface ResolvedInputs {
  /** Inputs of the run, by primitive id or label. */
  run: Record<string, string | boolean>;
  /** Values for inputs of nodes, which hold for the run only. */
  parameters: Record<string, Record<string, string | boolean>>;
}

/** Assigns values to the inputs of a workflow and uploads the local files among them. A later value replaces an earlier one. */
export async function resolveInputs(
  data: FileData,
  assignments: InputAssignment[],
  upload: InputUploader,
  moduleInputs: ModuleInputs = {},
): Promise<ResolvedInputs> {
  const run: ResolvedInputs['run'] = {};
  const parameters: ResolvedInputs['parameters'] = {};
  for (const assignment of new Map(assignments.map((one) => [one.key, one])).values()) {
    const input = findInput(data, assignment.key, moduleInputs);
    const value = await resolveValue(assignment, input.type, upload);
    if (input.kind === 'primitive') run[assignment.key] = value;
    else parameters[input.node] = { ...parameters[input.node], [input.param]: value };
  }
  return { run, parameters };
}

const REMOTE = /^(https?|millrace):\/\//i;

async function resolveValue(input: InputAssignment, type: string, upload: InputUploader): Promise<string | boolean> {
  const { key, value, isFile } = input;
  const isFileType = type === 'FILE' || type === 'FOLDER';
  if (isFile && !isFileType)
    throw new CliError(
      `Input "${key}" takes a value, not a file. To use the text of a file: --input ${key}="$(cat ${String(value)})"`,
    );
  if (Array.isArray(value)) {
    if (type === 'FILE') return upload.lines(`${key.replaceAll(/[^\w.-]+/g, '-')}.txt`, value.map(String));
    throw new CliError(`Input "${key}" takes one value. Use an input of type FILE for a list, with one line per item.`);
  }
  if (type === 'BOOLEAN') return toBoolean(key, value);
  const text = String(value);
  if (!isFileType || REMOTE.test(text)) return text;
  return uploadLocal(input, text, type === 'FILE' ? upload.file : upload.folder);
}

async function uploadLocal(
  { key, folder }: InputAssignment,
  path: string,
  upload: (path: string) => Promise<string>,
): Promise<string> {
  try {
    return await upload(resolve(folder, path));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const hint = isAbsolute(path) ? '' : ` The path "${path}" is relative to ${folder}.`;
    throw new CliError(`Input "${key}": ${error.message}${hint}`);
  }
}

function toBoolean(key: string, value: string | number | boolean): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new CliError(`Input "${key}" must be true or false (got "${value}").`);
}

/** An input of the workflow, or an input of a node. */
type FoundInput = { kind: 'primitive'; type: string } | { kind: 'node'; node: string; param: string; type: string };

/** Finds the input of a key in `execute.inputs` or `--set`: the id or the label of a primitive, or `<node>.<input>`. */
export function findInput(data: FileData, key: string, moduleInputs: ModuleInputs = {}): FoundInput {
  const primitives = Object.entries(data.primitiveNodes);
  const [, byId] = primitives.find(([id]) => id === key) ?? [];
  const [, found] = byId ? [key, byId] : (primitives.find(([, primitive]) => primitive.label === key) ?? []);
  if (found) return { kind: 'primitive', type: found.type };
  for (const [name, node] of Object.entries(data.nodes)) {
    if (!key.startsWith(`${name}.`)) continue;
    const param = key.slice(name.length + 1);
    const inputs = node.inputs as Record<string, { type?: string } | undefined> | undefined;
    const type = moduleInputs[name]?.[param] ?? inputs?.[param]?.type;
    if (type !== undefined) return { kind: 'node', node: name, param, type };
  }
  const names = primitives.map(([id, { label }]) => label || id);
  throw new CliError(`The workflow has no input "${key}". It has: ${names.join(', ') || 'none'}, and <node>.<input>.`);
}
