import { type WorkflowNode } from '../data/workflow-data.js';
import { type LevelNode } from '../parse/level.js';
import { type Program } from './plan.js';

/** Builds the program of a tool, a script or an approval from the node itself, which has its own copy of its module. */
export function buildProgram(target: LevelNode): Program {
  const { node } = target;
  if (node.type === 'SCRIPT') {
    const { source, args, image } = node.script ?? {};
    return {
      kind: 'script',
      language: node.script_type ?? 'bash',
      source: source ?? '',
      args: (args ?? []).map(String),
      // Left out if there is none, so that such versions compile to the same bytes as before.
      ...(image?.trim() && { image: image.trim() }),
    };
  }
  if (node.type === 'APPROVAL') return buildApproval(node);
  if (node.type !== 'TOOL') return { kind: 'split' };
  return {
    kind: 'command',
    image: node.container?.image ?? null,
    command: commandWords(node),
    args: (node.container?.args ?? []).map(String),
    ...buildOutput(target),
  };
}

function buildApproval({ approval }: WorkflowNode): Program {
  return {
    kind: 'approval',
    message: approval?.message ?? '',
    role: approval?.role ?? 'execute',
    expiresAfterSeconds: approval?.expires_after_seconds ?? null,
    onExpiry: approval?.on_expiry ?? 'reject',
  };
}

/** The words of a tool's command. A command written as one text is split at white space; a list may have spaces in a word. */
export function commandWords(node: WorkflowNode): string[] {
  const command = node.container?.command ?? [];
  if (typeof command !== 'string') return command;
  return command.split(/\s+/).filter((word) => word !== '');
}

/**
 * Determines how a tool receives the path of its output: with `output_command`, or with the flag that its output's
 * `parameter_name` names. A tool whose only output is a folder receives the folder.
 */
function buildOutput(target: LevelNode): { outputCommand: string | null; outputParameter: string | null } {
  const { file, folder } = target.node.outputs ?? {};
  const command = target.node.output_command ?? '';
  const outputCommand = command === '' ? (findOutputFlag(target)?.flag ?? null) : command;
  return { outputCommand, outputParameter: folder !== undefined && file === undefined ? '' : null };
}

/**
 * Finds the flag that an output's `parameter_name` names: the flag itself, or the input with that flag. Such an input needs
 * no value.
 */
export function findOutputFlag(target: LevelNode): { input: string; flag: string } | null {
  const { file, folder } = target.node.outputs ?? {};
  const input = file?.parameter_name ?? folder?.parameter_name;
  if (typeof input !== 'string') return null;
  const flag = target.inputs.get(input)?.command ?? input;
  return flag.startsWith('-') || flag === '>' ? { input, flag } : null;
}
