import { isAbsolute, resolve } from 'node:path';
import { CliError } from '../cli-error.js';
import type { ModuleInputs } from './fetch-module-inputs.js';
import { findInput } from './find-input.js';
import type { FileData, GivenValue } from './workflow-file.js';

/** Puts a file, or lines, where a run can read it; gives its `millrace://file/…`. */
export interface InputUploader {
  file(path: string): Promise<string>;
  lines(name: string, lines: string[]): Promise<string>;
}

/** One thing that the user has set. Local paths count from `folder`. */
export interface GivenInput {
  key: string;
  value: GivenValue;
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
  given: GivenInput[],
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

async function resolveValue(input: GivenInput, type: string, upload: InputUploader): Promise<string | boolean> {
  const { key, value } = input;
  if (Array.isArray(value)) {
    if (type === 'FILE') return upload.lines(`${key.replaceAll(/[^\w.-]+/g, '-')}.txt`, value.map(String));
    throw new CliError(`Input "${key}" takes one value. Use an input of type FILE for a list, with one line per item.`);
  }
  if (type === 'BOOLEAN') return toBoolean(key, value);
  const text = String(value);
  return type === 'FILE' && !REMOTE.test(text) ? uploadLocal(input, text, upload) : text;
}

async function uploadLocal({ key, folder }: GivenInput, path: string, upload: InputUploader): Promise<string> {
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
