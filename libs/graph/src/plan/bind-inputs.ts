import { findParam, usedParams, type Param } from '../connect/find-param.js';
import { readValue } from '../data/read-value.js';
import { type Level, type LevelNode } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { variableSpace } from '../variables/substitute-variables.js';
import { findOutputFlag } from './build-program.js';
import { reserveBindings, type BoundValue, type Expansion, type LevelContext } from './expansion.js';
import { authorOf, findMultiOutputSources, findBoundValues } from './find-bound-values.js';
import { type Binding, type InputType, type StepInput } from './plan.js';

/** An input of a node, and the values bound to it by one connection or by its own value. */
export interface BoundInput {
  param: Param;
  values: BoundValue[];
}

/** Binds all inputs of a node, one entry per connection or own value. */
export function bindInputs(target: LevelNode, level: Level, context: LevelContext, expansion: Expansion): BoundInput[] {
  const inputs: BoundInput[] = [];
  const connected = new Set<string>();
  const multiOutput = findMultiOutputSources(target);
  let param: Param | null = null;
  for (const connection of target.connections) {
    connected.add(connection.param);
    if (target.hasConnectionEntries || param?.name !== connection.param) {
      param = findParam(target, connection.param, connection.source);
    }
    if (param !== null)
      inputs.push({ param, values: findBoundValues(connection, multiOutput, level, context, expansion) });
  }
  for (const name of usedParams(target)) {
    const bound = connected.has(name) ? null : bindValue(target, name, context, expansion);
    if (bound !== null) inputs.push(bound);
  }
  return inputs;
}

function bindValue(target: LevelNode, name: string, context: LevelContext, expansion: Expansion): BoundInput | null {
  const param = findParam(target, name, null);
  if (param === null || name === findOutputFlag(target)?.input) return null;
  const read = readValue(param.type, target.inputs.get(name)?.value);
  const value = 'value' in read ? read.value : null;
  if (value === null || value === '') return null;
  if (param.type === 'STRING' || param.type === 'BOOLEAN') {
    const binding: Binding = { from: 'value', value, ...variableSpace([value], context.space) };
    return { param, values: [{ binding, directory: null, scope: null, isFolder: false }] };
  }
  // A run fetches a file that is set on a node like an input of the workflow: once, for all steps that use it.
  const id = `${context.prefix}${target.name}/${name}`;
  expansion.primitives.set(id, { type: param.type, label: '', value, ...authorOf(value, context) });
  const isFolder = param.type === 'FOLDER';
  return { param, values: [{ binding: { from: 'primitive', primitive: id }, directory: name, scope: null, isFolder }] };
}

/** Returns the values bound to a module's primitives, by primitive id. */
export function bindModule(module: Level, inputs: BoundInput[], expansion: Expansion): Map<string, BoundValue[]> {
  const bound = new Map<string, BoundValue[]>();
  for (const { param, values } of inputs) {
    const port = module.inputs.get(param.name) ?? [];
    if (!reserveBindings(expansion, port.length * values.length)) return bound;
    for (const { id } of port) {
      const list = bound.get(id);
      if (list === undefined) bound.set(id, [...values]);
      else list.push(...values);
    }
  }
  return bound;
}

/** The inputs of a step, in command-line order. */
export const stepInputs = (inputs: BoundInput[]): StepInput[] =>
  inputs
    .flatMap(({ param, values }) => values.map((bound) => toStepInput(param, bound, param.type)))
    .sort(compareInputs);

/** The inputs of a split step: the sources to split, in the order in which they are concatenated. */
export const splitInputs = (inputs: BoundInput[]): StepInput[] =>
  inputs
    .flatMap(({ param, values }) =>
      values.map((bound) => toStepInput(param, bound, bound.isFolder ? 'FOLDER' : 'FILE')),
    )
    .sort(compareInputs);

const toStepInput = (param: Param, bound: BoundValue, type: InputType): StepInput => ({
  param: param.name,
  source: bound.directory,
  type,
  order: param.order,
  command: param.command,
  binding: bound.binding,
});

// Comparing the bindings last makes the plan independent of the order of the connections.
const compareInputs = (a: StepInput, b: StepInput): number =>
  a.order - b.order ||
  compareNames(a.param, b.param) ||
  compareNames(a.source ?? '', b.source ?? '') ||
  compareNames(JSON.stringify(a.binding), JSON.stringify(b.binding));
