import { stringify } from 'yaml';
import type { Module } from '@millrace/client';

type Input = NonNullable<Module['inputs']>[number];

/** Positional arguments have orders from here on. */
const FIRST_POSITION = 100;

/** Writes a tool or a script as the file that a new version begins with. */
export function writeModuleFile(module: Module): string {
  const { inputs = [], outputs = [], container, script, examples = [] } = module;
  const { description, category, source_url, doc_link, license_info, packages, network, help } = module;
  const hasFolderOnly = outputs.length === 1 && outputs[0]?.type === 'FOLDER';
  const file = {
    name: module.name,
    ...{ description, category, source_url, doc_link, license_info, packages },
    ...(container && { command: container.command, docker_image: container.image }),
    ...(script && { script_type: module.script_type, script: script.source }),
    output_command: module.output_command,
    ...(hasFolderOnly && { output_type: 'folder' }),
    network,
    ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs.map((input) => [input.name, writeInput(input)])) }),
    help,
    ...(examples.length > 0 && { examples }),
  };
  return stringify(file, { lineWidth: 0 });
}

function writeInput({ type, command, value, description, required, multi, order = 0 }: Input): Record<string, unknown> {
  return {
    type: type.toLowerCase(),
    ...(command && { flag: command }),
    ...(value !== undefined && { default: value }),
    ...(required && { required }),
    ...(multi && { multi }),
    ...(!command && order >= FIRST_POSITION && { position: order - FIRST_POSITION }),
    ...(description !== undefined && { description }),
  };
}
