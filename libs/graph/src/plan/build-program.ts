import { type WorkflowNode } from '../data/workflow-data.js';
import { type LevelNode } from '../parse/level.js';
import { type Program } from './plan.js';

/** What a tool or a script runs, taken from the node's own copy of its module. */
export function buildProgram(target: LevelNode): Program {
  const { node } = target;
  if (node.type === 'SCRIPT') {
    const { source, args } = node.script ?? {};
    return {
      kind: 'script',
      language: node.script_type ?? 'bash',
      source: source ?? '',
      args: (args ?? []).map(String),
    };
  }
  if (node.type !== 'TOOL') return { kind: 'split' };
  return {
    kind: 'command',
    image: node.container?.image ?? null,
    command: commandWords(node),
    args: (node.container?.args ?? []).map(String),
    ...buildOutput(target),
  };
}

/** A command written as one text is taken apart at white space; one with spaces in a word is written as a list. */
export function commandWords(node: WorkflowNode): string[] {
  const command = node.container?.command ?? [];
  if (typeof command !== 'string') return command;
  return command.split(/\s+/).filter((word) => word !== '');
}

/**
 * How a tool is told where to write: by `output_command`, else by the flag that its output's `parameter_name` is or
 * leads to. A tool whose only output is a folder gets the folder.
 */
function buildOutput(target: LevelNode): { outputCommand: string | null; outputParameter: string | null } {
  const { file, folder } = target.node.outputs ?? {};
  const written = target.node.output_command ?? '';
  const outputCommand = written === '' ? (findOutputFlag(target)?.flag ?? null) : written;
  return { outputCommand, outputParameter: folder !== undefined && file === undefined ? '' : null };
}

/** The flag that an output's `parameter_name` is, or that the input of that name has; such an input needs no value. */
export function findOutputFlag(target: LevelNode): { input: string; flag: string } | null {
  const { file, folder } = target.node.outputs ?? {};
  const input = file?.parameter_name ?? folder?.parameter_name;
  if (typeof input !== 'string') return null;
  const flag = target.inputs.get(input)?.command ?? input;
  return flag.startsWith('-') || flag === '>' ? { input, flag } : null;
}
