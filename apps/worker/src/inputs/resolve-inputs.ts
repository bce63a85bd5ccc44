import { basename } from 'node:path';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type FileRef, fileRef } from '@millrace/contracts/runs/files';
import type { Binding, Plan, Step, StepInput } from '@millrace/graph/plan/plan';
import { type InputValues, inputKey } from '@millrace/graph/run/build-command-line';
import type { ObjectStore } from '@millrace/storage/object-store';
import { StepFailedError } from '../steps/step-failed-error.js';
import type { RunVariables } from '../variables/run-variables.js';
import { type FileList } from './file-list.js';
import { type InputEntries, InputList } from './input-list.js';
import { type TaskFiles, readItem } from './task-files.js';

export interface InputSources {
  plan: Plan;
  items: DispatchPayload['items'];
  files: TaskFiles;
  store: ObjectStore;
  variables: RunVariables;
}

/** Text that can contain run variables. */
export interface TemplateText {
  text: string;
  /** Space of the module that contains the text; absent for the workflow of the run. */
  space?: string | undefined;
}

/** All inputs of a step, before any of them is on the disk. */
export interface ResolvedInputs {
  /** Values by `inputKey`: texts and flags; for files and folders, their path relative to the working directory. */
  values: InputValues;
  /** By `inputKey`, for values that can contain run variables: the text of the workflow, before variables are filled in. */
  written: Readonly<Record<string, TemplateText>>;
  /** Environment variables that the step itself sets. Run variables are filled in, so secrets may be among the values. */
  environment: Readonly<Record<string, string>>;
  /** Content of `in/`, each path once, a folder before its content. */
  entries: InputEntries;
}

/**
 * Resolves the inputs of one task's step: the values for its command line, and the content of `in/`. Reads the object store,
 * and writes nothing. `layOutInputs` makes the files.
 * @throws StepFailedError if a file is missing, or a value cannot be passed to a command
 */
export async function resolveInputs(step: Step, sources: InputSources): Promise<ResolvedInputs> {
  const list = new InputList();
  const values: Record<string, string | boolean> = {};
  const written: Record<string, TemplateText> = {};
  for (const input of step.inputs) {
    const value = await resolveInput(input, sources, list);
    if (value === undefined) continue;
    if (typeof value === 'string' && value.includes('\0')) throw new StepFailedError(describeNul(input));
    values[inputKey(input)] = value;
    const text = findTemplate(input, sources);
    if (text !== null) written[inputKey(input)] = text;
  }
  const filled = Object.entries(step.environment).map(
    ([name, value]) => [name, sources.variables.fill(value, step.space)] as const,
  );
  return { values, written, environment: Object.fromEntries(filled), entries: list };
}

/** The kernel ends an argument at a NUL. */
const describeNul = ({ param, binding }: StepInput): string =>
  `input ${param}: the ${binding.from === 'item' ? 'item' : 'value'} contains a NUL character`;

async function resolveInput(
  input: StepInput,
  sources: InputSources,
  list: InputList,
): Promise<string | boolean | undefined> {
  const { binding } = input;
  const text = findTemplate(input, sources);
  if (text !== null) return sources.variables.fill(text.text, text.space);
  if (binding.from === 'value') return binding.value;
  if (binding.from === 'item') return resolveItem(input, sources, list);
  const folder = input.source ?? input.param;
  if (binding.from === 'step') return resolveStep(input, binding, sources, list);
  const value = sources.files.primitive(binding.primitive);
  if (typeof value !== 'object') return value;
  if (!('folder' in value)) return addFile(`${folder}/${basename(value.path)}`, value, input, list);
  await addFolder(folder, await sources.files.ofFolder(value), list);
  return `in/${folder}`;
}

/**
 * The text of an input that can contain run variables, or null. Only texts of the workflow can: a user who may only run the
 * workflow must not read variables through an input.
 */
function findTemplate({ type, binding }: StepInput, { files, plan }: InputSources): TemplateText | null {
  if (type !== 'STRING') return null;
  if (binding.from === 'value') {
    return typeof binding.value === 'string' ? { text: binding.value, space: binding.space } : null;
  }
  if (binding.from !== 'primitive') return null;
  const [value, primitive] = [files.primitive(binding.primitive), plan.primitives[binding.primitive]];
  return typeof value === 'string' && value === primitive?.value ? { text: value, space: primitive.space } : null;
}

/** @returns undefined if the step that the input comes from has no result, which the run goes on without */
async function resolveStep(
  input: StepInput,
  binding: Extract<Binding, { from: 'step' }>,
  sources: InputSources,
  list: InputList,
): Promise<string | undefined> {
  const folder = input.source ?? input.param;
  const files = await sources.files.of(binding);
  await addFolder(folder, files, list);
  const failures = sources.files.failuresOf(binding);
  if (failures) list.add({ kind: 'file', path: `${folder}/${failures.path}`, file: failures });
  if (failures && files.length === 0 && !binding.gather) return undefined;
  if (input.type === 'FOLDER') return `in/${folder}`;
  const [file] = files;
  if (file) return `in/${folder}/${file.path}`;
  const from = sources.plan.steps[binding.step]?.node;
  throw new StepFailedError(`input ${input.param}: "${from ?? folder}" wrote no out/output.txt`);
}

async function addFolder(folder: string, files: FileList, list: InputList): Promise<void> {
  list.add({ kind: 'folder', path: folder });
  await list.addFiles(folder, files);
}

async function resolveItem(input: StepInput, sources: InputSources, list: InputList): Promise<string> {
  const { items, files, plan, store } = sources;
  if (!items || input.binding.from !== 'item')
    throw new StepFailedError(`input ${input.param}: the step is not inside a split, so it has no item`);
  const mode = plan.scopes[input.binding.scope]?.mode ?? 'line';
  const content = await readItem(items, files.task.index, store);
  if (input.type === 'STRING') return content.toString('utf8');
  const folder = input.source ?? input.param;
  if (mode === 'file') {
    const file = fileRef.parse(JSON.parse(content.toString('utf8')));
    return addFile(`${folder}/${basename(file.path)}`, file, input, list);
  }
  const path = `${folder}/${mode === 'batch' ? 'lines.txt' : 'line.txt'}`;
  list.add({ kind: 'content', path, content });
  return input.type === 'FOLDER' ? `in/${folder}` : `in/${path}`;
}

function addFile(path: string, file: FileRef, input: StepInput, list: InputList): string {
  list.add({ kind: 'file', path, file });
  return input.type === 'FOLDER' ? `in/${path.slice(0, path.lastIndexOf('/'))}` : `in/${path}`;
}
