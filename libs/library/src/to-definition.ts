import {
  MAX_INPUTS,
  type ModuleDefinition,
  type ModuleInput,
  type ModuleOutput,
  type ModuleType,
} from '@millrace/contracts/workflows/library';
import type { FileInput, ModuleFile } from './module-file.js';

/** The API's name for the type of a module file. */
export const typeOfFile = ({ type }: ModuleFile): ModuleType => (type === 'tool' ? 'TOOL' : 'SCRIPT');

/** Converts a module file to the definition that the API uses. */
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

/** A tool without an output option writes to standard output. The command of an image defaults to the tool's name. */
function toolOf(file: ModuleFile): ModuleDefinition {
  const { command = file.name, docker_image: image, output_command, output_parameter } = file;
  const outputCommand =
    output_command ?? (output_parameter === undefined && file.output_type !== 'folder' ? '>' : undefined);
  return {
    container: { ...(image !== undefined && { image }), command },
    ...(outputCommand !== undefined && outputCommand !== '' && { output_command: outputCommand }),
  };
}

function toInput(file: ModuleFile, name: string, input: FileInput, at: number): ModuleInput {
  const { type, flag, description, required, multi, default: value } = input;
  const isPath = type === 'file' || type === 'folder';
  return {
    name,
    type: type.toUpperCase() as ModuleInput['type'],
    order: orderOf(input, at),
    // A script finds its files below in/, so they are no arguments unless the input has a flag.
    ...(!(file.type === 'script' && isPath && flag === '') && { command: flag }),
    ...(value !== undefined && { value: type === 'string' ? String(value) : value }),
    ...(description !== undefined && { description }),
    ...(required && { required }),
    ...(multi !== undefined && { multi }),
  };
}

/** Flags keep the order of the file. Positional arguments follow them, with orders beyond those of flags. */
function orderOf({ order, position, flag }: FileInput, at: number): number {
  if (order !== undefined) return order;
  if (position !== undefined) return MAX_INPUTS + position;
  return flag === '' ? MAX_INPUTS + at + 1 : at + 1;
}

/** The main output, which gets `output_parameter`, is the file if there is one, else the folder. */
function toOutputs(file: ModuleFile): ModuleOutput[] {
  const outputs = file.outputs ?? (file.output_type === 'folder' ? { folder: null } : { file: null, folder: null });
  const mainOutput = 'file' in outputs ? 'file' : 'folder';
  return Object.entries(outputs).map(([name, output], at) => {
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
