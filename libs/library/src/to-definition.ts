import {
  MAX_INPUTS,
  type ModuleDefinition,
  type ModuleInput,
  type ModuleOutput,
  type ModuleType,
} from '@millrace/contracts/workflows/library';
import type { FileInput, ModuleFile } from './module-file.js';

/** What the API calls the type of a module that is written as a file. */
export const typeOfFile = ({ type }: ModuleFile): ModuleType => (type === 'tool' ? 'TOOL' : 'SCRIPT');

/** What a module file says that its nodes run, in the terms of the API. */
export function toDefinition(file: ModuleFile): ModuleDefinition {
  const inputs = Object.entries(file.inputs ?? {}).map(([name, input], at) => toInput(file, name, input, at));
  return {
    inputs: inputs.sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
    outputs: toOutputs(file),
    ...(file.type === 'script' ? scriptOf(file) : toolOf(file)),
    ...(file.network !== undefined && { network: file.network }),
    ...(file.packages && { packages: file.packages }),
    ...(file.help !== undefined && { help: file.help }),
    ...(file.examples && { examples: file.examples }),
  };
}

const scriptOf = (file: ModuleFile): ModuleDefinition => ({
  script: { source: file.script ?? '' },
  script_type: file.script_type ?? 'bash',
});

/** A tool that is not told where to write has its result on standard output; an image without a command, the tool's name. */
function toolOf(file: ModuleFile): ModuleDefinition {
  const { command = file.name, docker_image: image, output_command, output_parameter } = file;
  const written = output_command ?? (output_parameter === undefined && file.output_type !== 'folder' ? '>' : undefined);
  return {
    container: { ...(image !== undefined && { image }), command },
    ...(written !== undefined && written !== '' && { output_command: written }),
  };
}

function toInput(file: ModuleFile, name: string, input: FileInput, at: number): ModuleInput {
  const { type, flag, description, required, multi, default: value } = input;
  const takesContent = type === 'file' || type === 'folder';
  return {
    name,
    type: type.toUpperCase() as ModuleInput['type'],
    order: orderOf(input, at),
    // A script finds its files below in/, and gets no argument for them unless it asks for one.
    ...(!(file.type === 'script' && takesContent && flag === '') && { command: flag }),
    ...(value !== undefined && { value: type === 'string' ? String(value) : value }),
    ...(description !== undefined && { description }),
    ...(required && { required }),
    ...(multi !== undefined && { multi }),
  };
}

/** Flags as they are written, and positional arguments after them: beyond the orders that flags can have. */
function orderOf({ order, position, flag }: FileInput, at: number): number {
  if (order !== undefined) return order;
  if (position !== undefined) return MAX_INPUTS + position;
  return flag === '' ? MAX_INPUTS + at + 1 : at + 1;
}

/** Which ports a tool declares says how it is told where to write: the file, or the folder alone. */
function toOutputs(file: ModuleFile): ModuleOutput[] {
  const given = file.outputs ?? (file.output_type === 'folder' ? { folder: null } : { file: null, folder: null });
  const mainOutput = 'file' in given ? 'file' : 'folder';
  return Object.entries(given).map(([name, output], at) => {
    const parameter = output?.parameter_name ?? (name === mainOutput ? file.output_parameter : undefined);
    return {
      name,
      type: name === 'file' ? 'FILE' : 'FOLDER',
      order: at + 1,
      ...(parameter !== undefined && { parameter_name: parameter }),
      ...(output?.description !== undefined && { description: output.description }),
    };
  });
}
