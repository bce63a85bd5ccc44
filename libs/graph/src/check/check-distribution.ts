import { findParam, paramNames } from '../connect/find-param.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type LevelNode } from '../parse/level.js';
import { type InputType } from '../plan/plan.js';
import { type Problems } from './problem.js';

const RECEIVERS: Record<'line' | 'batch' | 'file', InputType[]> = {
  line: ['STRING', 'FILE'],
  batch: ['FILE'],
  file: ['FILE', 'FOLDER'],
};

/** Checks the `distribution` of one node against its inputs; whether two of them meet shows only in the whole graph. */
export function checkDistribution(target: LevelNode, errors: Problems): void {
  const { distribution, type } = target.node;
  if (!distribution) return;
  const { input, mode, splits } = distribution;
  const wrong = (message: string, hint: string): void =>
    errors.add({
      code: 'bad_distribution',
      message,
      node: target.name,
      port: input,
      hint,
    });
  const of = `the distribution of node ${showName(target.name)}`;
  if (type === 'SPLITTER')
    return wrong(`${of} is one too many: a splitter distributes already`, 'remove it from the splitter');
  if (mode === 'batch' && typeof splits !== 'number')
    wrong(`${of} has mode "batch" but no splits`, 'set splits to the number of batches');
  if (type === 'WORKFLOW' && target.module === null) return;
  const feeding = target.connections.filter((connection) => connection.param === input);
  const param = findParam(target, input, feeding[0]?.source ?? null);
  if (param === null)
    return wrong(`${of} names input ${showName(input)}, which does not exist`, nameOf(input, paramNames(target)));
  if (!receivers(type, mode).includes(param.type)) {
    return wrong(
      `${of} has mode "${mode}", which gives nothing that the ${param.type} input ${showName(input)} can take`,
      `choose an input of type ${receivers(type, mode).join(' or ')}, or another mode`,
    );
  }
  if (feeding.length > 0) return;
  const message = `${of} has nothing to split: no file or folder is connected to input ${showName(input)}`;
  const hint = 'a value written on the node cannot be split; put it into a file and connect that';
  errors.add({ code: 'distribution_without_connection', message, node: target.name, port: input, hint });
}

const nameOf = (wrong: string, known: string[]): string =>
  suggestName(wrong, known) ??
  (known.length > 0 ? `there is: ${known.slice(0, 5).map(showName).join(', ')}` : 'remove it: the node has no inputs');

/** A module hands its port on to inputs of that very type, where a tool or a script may take a file for a folder. */
const receivers = (type: string, mode: 'line' | 'batch' | 'file'): InputType[] =>
  type === 'WORKFLOW' ? RECEIVERS[mode].filter((receiver) => receiver !== 'FOLDER') : RECEIVERS[mode];
