import type { Reference } from '@millrace/query/parse/expression';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import type { LevelNode } from '../parse/level.js';
import { ConditionError } from './condition-error.js';
import type { NamedSubject } from './named-condition.js';
import { FACT_TYPES, isFactName, listFacts } from './node-facts.js';
import type { SubjectType } from './read-condition-values.js';
import type { ConditionNames } from './read-condition.js';

interface FoundSubject {
  subject: NamedSubject;
  type: SubjectType;
}

/** Names in one message. */
const MAX_LISTED = 10;

/**
 * Finds what a reference means: `inputs.<id or label>`, `nodes.<node>.<fact>` or `nodes.<module>.<output>.<fact>`. Names may
 * have dots, so a node's name consists of as many words as possible.
 * @throws ConditionError if it names nothing
 */
export function findSubject(reference: Reference, target: LevelNode, names: ConditionNames): FoundSubject {
  const { position } = reference;
  const [group = '', ...parts] = reference.segments.map(({ text }) => text);
  if (group === 'inputs' && parts.length > 0) return findInput(parts.join('.'), position, names);
  if (group === 'nodes' && parts.length > 0) return findNodeFact(parts, position, target, names);
  const expected = ['inputs.<input>', 'nodes.<node>.<fact>'];
  const message = `${showName([group, ...parts].join('.'))} is neither an input nor the result of a node`;
  throw unknown(position, message, expected, `Begin a reference with inputs. or nodes., as in nodes.scan-1.size > 0.`);
}

function findInput(name: string, position: number, { primitives, labelled }: ConditionNames): FoundSubject {
  const sharing = labelled.get(name) ?? [];
  const primitive = primitives.get(name) ?? sharing[0];
  if (primitive === undefined) {
    const message = `the input ${showName(name)} does not exist`;
    const known = () => [...labelled.keys(), ...primitives.keys()];
    throw unknownName(position, message, name, known, 'The workflow has no inputs.');
  }
  if (primitive.id !== name && sharing.length > 1) {
    const ids = sharing.map(({ id }) => id);
    const hint = `Use the id of one of them: ${list(ids)}.`;
    throw unknown(position, `several inputs have the label ${showName(name)}`, ids, hint);
  }
  const subject: NamedSubject = { from: 'input', id: primitive.id, position };
  return { subject, type: primitive.type === 'BOOLEAN' ? 'boolean' : 'text' };
}

function findNodeFact(parts: string[], position: number, target: LevelNode, names: ConditionNames): FoundSubject {
  const words = parts.length === 1 ? 1 : parts.length - 1;
  const length = countNodeWords(parts, words, names);
  const name = parts.slice(0, length || words).join('.');
  const node = length === 0 ? undefined : names.nodes.get(name);
  if (node === undefined) {
    const message = `the node ${showName(name)} does not exist`;
    throw unknownName(position, message, name, () => names.nodes.keys(), 'Add the node.');
  }
  if (name === target.name) {
    const hint = 'A condition decides before its node runs. Refer to an earlier node.';
    throw new ConditionError(position, `it refers to ${showName(name)}, its own node`, ['another node'], hint);
  }
  const [fact, port] = splitFact(parts.slice(length));
  if (port === null || (port !== '' && node.node.type !== 'WORKFLOW')) throw unknownFact(parts, node, position);
  if (node.node.type === 'WORKFLOW') checkOutput(node, port, position);
  if (!isFactName(fact) || !listFacts(node.node.type).includes(fact)) throw unknownFact(parts, node, position);
  return { subject: { from: 'node', node: name, port, fact, position }, type: FACT_TYPES[fact] };
}

/** The number of leading words that are the name of a node; 0 if none is. */
function countNodeWords(parts: string[], max: number, { nodes }: ConditionNames): number {
  for (let count = max; count > 0; count -= 1) if (nodes.has(parts.slice(0, count).join('.'))) return count;
  return 0;
}

/** The fact and the words before it, which name the output of a module. Null: there is no fact. */
const splitFact = (rest: string[]): [fact: string, port: string | null] =>
  rest.length === 0 ? ['', null] : [rest.at(-1) ?? '', rest.slice(0, -1).join('.')];

function checkOutput({ name, module }: LevelNode, port: string, position: number): void {
  // A module that is missing is an error of its own.
  if (module === null || module.outputs.has(port)) return;
  const outputs = [...module.outputs.keys()];
  if (port !== '') {
    const message = `module ${showName(name)} has no output ${showName(port)}`;
    throw unknownName(position, message, port, () => outputs, 'Name an output in that workflow with `meta.label`.');
  }
  const hint = `Name one of its outputs before the fact: ${list(outputs)}.`;
  throw unknown(position, `${showName(name)} is a module and has several nodes`, outputs.slice(0, MAX_LISTED), hint);
}

function unknownFact(parts: string[], { name, node }: LevelNode, position: number): ConditionError {
  const known = listFacts(node.type);
  const fact = parts.at(-1) ?? '';
  const message = `${showName(parts.join('.'))} does not name a result of node ${showName(name)}`;
  return unknownName(position, message, fact, () => known, '');
}

/** @param known lists all names; only the first are read unless a similar one is searched */
function unknownName(
  position: number,
  message: string,
  wrong: string,
  known: () => Iterable<string>,
  none: string,
): ConditionError {
  const first = takeFirst(known(), MAX_LISTED + 1);
  const hint = first.length === 0 ? none : `Use one of ${list(first)}.`;
  const suggest = () => suggestName(wrong, known());
  return new ConditionError(position, message, first.slice(0, MAX_LISTED), hint, 'unknown_reference', suggest);
}

function takeFirst(names: Iterable<string>, count: number): string[] {
  const first: string[] = [];
  for (const name of names) {
    if (first.length === count) break;
    first.push(name);
  }
  return first;
}

const unknown = (position: number, message: string, expected: string[], hint: string): ConditionError =>
  new ConditionError(position, message, expected, hint, 'unknown_reference');

const list = (names: string[]): string =>
  names.slice(0, MAX_LISTED).map(showName).join(', ') + (names.length > MAX_LISTED ? ', …' : '');
