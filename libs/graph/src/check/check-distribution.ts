import { findParam, paramNames } from '../connect/find-param.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type LevelNode } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';
import { type Problems } from './problem.js';

type Mode = 'line' | 'batch' | 'file';

/** The input types that can receive what a mode produces. */
const RECEIVERS: Record<Mode, InputType[]> = {
  line: ['STRING', 'FILE'],
  batch: ['FILE'],
  file: ['FILE', 'FOLDER'],
};

/** Checks the `distribution` of one node against its inputs. Nested distributions are found in the expanded graph only. */
export function checkDistribution(target: LevelNode, errors: Problems): void {
  const { distribution, type } = target.node;
  if (!distribution) return;
  const { input, mode, splits } = distribution;
  const report = (message: string, hint: string): void =>
    errors.add({ code: 'bad_distribution', message, node: target.name, port: input, hint });
  const subject = `The distribution of node ${showName(target.name)}`;
  if (type === 'SPLITTER')
    return report(
      `Splitter ${showName(target.name)} has a \`distribution\`, but a splitter always distributes.`,
      'Remove `distribution`.',
    );
  if (mode === 'batch' && typeof splits !== 'number')
    report(`${subject} has the mode "batch" but no \`splits\`.`, 'Set `splits` to the number of batches.');
  if (type === 'WORKFLOW' && target.module === null) return;
  const sources = target.connections.filter((connection) => connection.param === input);
  const param = findParam(target, input, sources[0]?.source ?? null);
  if (param === null) {
    const message = `${subject} names the input ${showName(input)}, which does not exist.`;
    return report(message, suggestInput(input, paramNames(target)));
  }
  const receivers = findReceivers(type, mode);
  if (!receivers.includes(param.type)) {
    return report(
      `${subject} names the input ${showName(input)} of type ${param.type}, which cannot take what mode "${mode}" produces.`,
      `Choose an input of type ${receivers.join(' or ')}, or another mode.`,
    );
  }
  if (sources.length > 0) return;
  const message = `${subject} has nothing to split: no file or folder is connected to the input ${showName(input)}.`;
  const hint = 'Connect a file or a folder. A value that is set on the node cannot be split; put it into a file.';
  errors.add({ code: 'distribution_without_connection', message, node: target.name, port: input, hint });
}

function suggestInput(wrong: string, known: string[]): string {
  const suggestion = suggestName(wrong, known);
  if (suggestion !== undefined) return suggestion;
  if (known.length === 0) return 'Remove `distribution`: the node has no inputs.';
  return `The node has these inputs: ${known.slice(0, 5).map(showName).join(', ')}${known.length > 5 ? ', …' : '.'}`;
}

/** A module's port has one type. A tool or a script can take a file for an input of type FOLDER. */
const findReceivers = (type: string, mode: Mode): InputType[] =>
  type === 'WORKFLOW' ? RECEIVERS[mode].filter((receiver) => receiver !== 'FOLDER') : RECEIVERS[mode];
