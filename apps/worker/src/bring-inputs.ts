import { basename } from 'node:path';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { fileRef, type FileRef } from '@millrace/contracts/runs/files';
import { inputKey } from '@millrace/graph/build-command-line';
import { type Plan, type Step, type StepInput } from '@millrace/graph/plan';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type InputFolder } from './input-folder.js';
import { readItem } from './read-item.js';
import { StepFailure } from './step-failure.js';
import { type TaskFiles } from './task-files.js';
import { type RunVariables } from './variables/run-variables.js';

export interface InputSources {
  plan: Plan;
  items: DispatchPayload['items'];
  files: TaskFiles;
  store: ObjectStore;
  variables: RunVariables;
}

/**
 * Lays a step's files out below `in/`, and gives the value of each input by `inputKey`: text and flags as they are, files
 * and folders by their path from the working directory. Throws `StepFailure` where something is not there.
 */
export async function bringInputs(
  step: Step,
  sources: InputSources,
  into: InputFolder,
): Promise<Record<string, string | boolean>> {
  const values: Record<string, string | boolean> = {};
  for (const input of step.inputs) {
    const value = await bringInput(input, sources, into);
    if (value === undefined) continue;
    if (typeof value === 'string' && value.includes('\0')) throw new StepFailure(sayNul(input));
    values[inputKey(input)] = value;
  }
  return values;
}

/** The kernel ends an argument there. */
const sayNul = ({ param, binding }: StepInput): string =>
  `input ${param}: the ${binding.from === 'item' ? 'item' : 'value'} contains a NUL character`;

async function bringInput(
  input: StepInput,
  sources: InputSources,
  into: InputFolder,
): Promise<string | boolean | undefined> {
  const { binding } = input;
  if (binding.from === 'value') return fill(binding.value, input, sources);
  if (binding.from === 'item') return bringItem(input, sources, into);
  const folder = input.source ?? input.param;
  if (binding.from === 'step') return bringStep(input, folder, await sources.files.of(binding), sources, into);
  const value = sources.files.primitive(binding.primitive);
  if (typeof value !== 'object') {
    // Only what the workflow itself says takes variables: who may run it, and no more, must not read them by an input.
    const isDefault = value !== undefined && value === sources.plan.primitives[binding.primitive]?.value;
    return isDefault ? fill(value, input, sources) : value;
  }
  if (!('folder' in value)) return bringFile(`${folder}/${basename(value.path)}`, value, input, into);
  await bringFolder(folder, await sources.files.ofFolder(value), into);
  return `in/${folder}`;
}

const fill = (value: string | boolean, { type }: StepInput, { variables }: InputSources): string | boolean =>
  typeof value === 'string' && type === 'STRING' ? variables.fill(value) : value;

async function bringStep(
  input: StepInput,
  folder: string,
  files: FileRef[],
  sources: InputSources,
  into: InputFolder,
): Promise<string> {
  await bringFolder(folder, files, into);
  if (input.type === 'FOLDER') return `in/${folder}`;
  const [file] = files;
  if (file) return `in/${folder}/${file.path}`;
  const from = input.binding.from === 'step' ? sources.plan.steps[input.binding.step]?.node : undefined;
  throw new StepFailure(`input ${input.param}: "${from ?? folder}" left no out/output.txt`);
}

async function bringFolder(folder: string, files: FileRef[], into: InputFolder): Promise<void> {
  into.makeFolder(folder);
  for (const file of files) await into.place(`${folder}/${file.path}`, file);
}

async function bringItem(input: StepInput, sources: InputSources, into: InputFolder): Promise<string> {
  const { items, files, plan, store } = sources;
  if (!items || input.binding.from !== 'item')
    throw new StepFailure(`input ${input.param}: there is nothing split to take an item of`);
  const mode = plan.scopes[input.binding.scope]?.mode ?? 'line';
  const content = await readItem(items, files.task.index, store);
  if (input.type === 'STRING') return content.toString('utf8');
  const folder = input.source ?? input.param;
  if (mode === 'file') {
    const file = fileRef.parse(JSON.parse(content.toString('utf8')));
    return bringFile(`${folder}/${basename(file.path)}`, file, input, into);
  }
  const path = `${folder}/${mode === 'batch' ? 'lines.txt' : 'line.txt'}`;
  await into.write(path, content);
  return input.type === 'FOLDER' ? `in/${folder}` : `in/${path}`;
}

async function bringFile(path: string, file: FileRef, input: StepInput, into: InputFolder): Promise<string> {
  await into.place(path, file);
  return input.type === 'FOLDER' ? `in/${path.slice(0, path.lastIndexOf('/'))}` : `in/${path}`;
}
