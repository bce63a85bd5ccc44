import { findParam, usedParams, type Param } from '../connect/find-param.js';
import { readValue } from '../data/read-value.js';
import { type Level, type LevelNode } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { scopeOf } from '../variables/variable-space.js';
import { authorOf } from './author-of.js';
import { findOutputFlag } from './build-program.js';
import { spendBindings, type Bound, type Expansion, type Frame } from './expansion.js';
import { crowdedSources, findBounds } from './find-bound-values.js';
import { type Binding, type InputType, type StepInput } from './plan.js';

/** One input of a node with all that is bound to it over one connection, or by its own value. */
export interface BoundInput {
  param: Param;
  bounds: Bound[];
}

/** Everything bound to a node's inputs, one entry a connection. */
export function bindInputs(target: LevelNode, level: Level, frame: Frame, into: Expansion): BoundInput[] {
  const inputs: BoundInput[] = [];
  const connected = new Set<string>();
  const crowded = crowdedSources(target);
  let param: Param | null = null;
  for (const connection of target.connections) {
    connected.add(connection.param);
    if (target.ownEntries || param?.name !== connection.param) {
      param = findParam(target, connection.param, connection.source);
    }
    if (param !== null) inputs.push({ param, bounds: findBounds(connection, crowded, level, frame, into) });
  }
  for (const name of usedParams(target)) {
    const bound = connected.has(name) ? null : bindValue(target, name, frame, into);
    if (bound !== null) inputs.push(bound);
  }
  return inputs;
}

function bindValue(target: LevelNode, name: string, frame: Frame, into: Expansion): BoundInput | null {
  const param = findParam(target, name, null);
  if (param === null || name === findOutputFlag(target)?.input) return null;
  const read = readValue(param.type, target.inputs.get(name)?.value);
  const value = 'value' in read ? read.value : null;
  if (value === null || value === '') return null;
  if (param.type === 'STRING' || param.type === 'BOOLEAN') {
    const binding: Binding = { from: 'value', value, ...scopeOf([value], frame.space) };
    return { param, bounds: [{ binding, directory: null, scope: null, folder: false }] };
  }
  // A file named on the node is brought in like an input of the workflow, once for all that use it.
  const id = `${frame.prefix}${target.name}/${name}`;
  into.primitives.set(id, { type: param.type, label: '', value, ...authorOf(value, frame) });
  const folder = param.type === 'FOLDER';
  return { param, bounds: [{ binding: { from: 'primitive', primitive: id }, directory: name, scope: null, folder }] };
}

/** What a module's primitives are bound to, by primitive id. */
export function bindModule(module: Level, inputs: BoundInput[], into: Expansion): Map<string, Bound[]> {
  const given = new Map<string, Bound[]>();
  for (const { param, bounds } of inputs) {
    const port = module.inputs.get(param.name) ?? [];
    if (!spendBindings(into, port.length * bounds.length)) return given;
    for (const { id } of port) {
      const list = given.get(id);
      if (list === undefined) given.set(id, [...bounds]);
      else list.push(...bounds);
    }
  }
  return given;
}

/** The inputs of a step, in command line order. */
export const stepInputs = (inputs: BoundInput[]): StepInput[] =>
  inputs
    .flatMap(({ param, bounds }) => bounds.map((bound) => toStepInput(param, bound, param.type)))
    .sort(compareInputs);

/** The inputs of a splitting step: what is split, in the order in which it is strung together. */
export const splitInputs = (inputs: BoundInput[]): StepInput[] =>
  inputs
    .flatMap(({ param, bounds }) => bounds.map((bound) => toStepInput(param, bound, bound.folder ? 'FOLDER' : 'FILE')))
    .sort(compareInputs);

const toStepInput = (param: Param, bound: Bound, type: InputType): StepInput => ({
  param: param.name,
  source: bound.directory,
  type,
  order: param.order,
  command: param.command,
  binding: bound.binding,
});

// The binding settles what is left, so that a plan does not depend on the order of the connections.
const compareInputs = (a: StepInput, b: StepInput): number =>
  a.order - b.order ||
  compareNames(a.param, b.param) ||
  compareNames(a.source ?? '', b.source ?? '') ||
  compareNames(JSON.stringify(a.binding), JSON.stringify(b.binding));
