import { type Problems } from '../check/problem.js';
import { readCondition } from '../conditions/read-condition.js';
import { inputPorts, outputPorts } from '../connect/module-ports.js';
import { resolveConnection } from '../connect/resolve-connection.js';
import {
  MAX_CONNECTIONS,
  MAX_STEPS,
  type ModuleVersion,
  type WorkflowData,
  type WorkflowNode,
} from '../data/workflow-data.js';
import { NAME_HINT, checkName, showName } from '../names/check-name.js';
import { baseName, isLabelled, type Level, type LevelNode, type OutputPort } from './level.js';
import { orderNodes } from './order-nodes.js';
import { readPrimitives } from './read-primitives.js';

/**
 * Resolves the names in one workflow's data. Returns null if the nodes have no order. Other errors drop the part that is
 * wrong, so that the rest can still be checked.
 * @param findModule returns the level that a WORKFLOW node wraps, by the node's `workflow` field
 * @param origin space and author of a module; empty for the workflow of the run
 */
export function readLevel(
  data: WorkflowData,
  findModule: (key: string) => Level | null,
  errors: Problems,
  origin: Pick<ModuleVersion, 'space' | 'author'>,
): Level | null {
  const primitives = readPrimitives(data, errors);
  const nodes = readNodes(data, findModule, errors);
  for (const name of nodes.keys()) {
    if (primitives.has(name))
      errors.add({
        code: 'duplicate_name',
        message: `A node and an input of the workflow are both named ${showName(name)}.`,
        node: name,
        hint: 'Give one of them another name.',
      });
  }
  const connectionCount = connectNodes(data, { nodes, primitives }, errors);
  readConditions({ nodes, primitives }, errors);
  nameFinalNodes(nodes);
  const ordered = sortNodes(nodes, errors);
  if (ordered === null) return null;
  const stepCount = sum(ordered, (node) => (node.module?.stepCount ?? 1) + (node.node.distribution ? 1 : 0));
  return {
    space: origin.space ?? null,
    author: origin.author ?? null,
    nodes: ordered,
    primitives,
    inputs: inputPorts(primitives.values()),
    // Nested modules multiply. Ports are not listed for a level that is too large and is rejected later.
    outputs: stepCount > MAX_STEPS ? new Map<string, OutputPort>() : outputPorts(ordered.values()),
    stepCount,
    connectionCount: sum(ordered, (node) => node.module?.connectionCount ?? 0) + connectionCount,
  };
}

/** Reads the conditions of all nodes. Stops if they have more tests than any plan may have. */
function readConditions({ nodes, primitives }: Pick<Level, 'nodes' | 'primitives'>, errors: Problems): void {
  const named = [...primitives.values()].filter(({ isNamed }) => isNamed);
  const names = { nodes, primitives, labelled: Map.groupBy(named, ({ label }) => label) };
  let weight = 0;
  for (const node of nodes.values()) {
    node.condition = readCondition(node, names, errors);
    weight += node.condition?.weight ?? 0;
    if (weight <= MAX_CONNECTIONS) continue;
    const message = `The conditions of the workflow have more than ${MAX_CONNECTIONS} tests and values.`;
    errors.add({ code: 'too_large', message, hint: 'Write fewer or shorter conditions.' });
    return;
  }
}

function readNodes(
  data: WorkflowData,
  findModule: (key: string) => Level | null,
  errors: Problems,
): Map<string, LevelNode> {
  const nodes = new Map<string, LevelNode>();
  for (const [name, node] of Object.entries(data.nodes ?? {})) {
    const nameProblem = checkName(name);
    if (nameProblem !== null) {
      errors.add({
        code: 'bad_name',
        message: `The node name ${showName(name)} ${nameProblem}.`,
        node: name,
        hint: NAME_HINT,
      });
      continue;
    }
    const label = node.meta?.label ?? '';
    const inputs = new Map(Object.entries(node.inputs ?? {}));
    nodes.set(name, {
      name,
      label: label === '' ? baseName(name) : label,
      isNamed: label !== '' && label !== baseName(name),
      node,
      inputs,
      hasConnectionEntries: [...inputs.keys()].some((key) => key.includes('/')),
      module: findWrappedLevel(node, findModule),
      connections: [],
      after: new Set(),
      condition: null,
    });
  }
  return nodes;
}

/**
 * Makes a final tool or script a named output although its label equals its base name, if no other node has that label.
 * Editors and the library give such a label to every node, so that most of these labels are not meant to name an output.
 */
function nameFinalNodes(nodes: ReadonlyMap<string, LevelNode>): void {
  const sources = new Set<string>();
  const labels = new Map<string, number>();
  for (const { connections, label } of nodes.values()) {
    labels.set(label, (labels.get(label) ?? 0) + 1);
    for (const { source, from } of connections) if (from !== 'primitive') sources.add(source);
  }
  for (const node of nodes.values()) {
    if (isLabelled(node) && !sources.has(node.name) && labels.get(node.label) === 1) node.isNamed = true;
  }
}

const findWrappedLevel = (node: WorkflowNode, findModule: (key: string) => Level | null): Level | null =>
  node.type === 'WORKFLOW' && typeof node.workflow === 'string' ? findModule(node.workflow) : null;

/** Adds each connection to its destination node. Returns the number of connections. */
function connectNodes(data: WorkflowData, names: Pick<Level, 'nodes' | 'primitives'>, errors: Problems): number {
  const seen = new Set<string>();
  let orders = 0;
  for (const edge of data.connections ?? []) {
    const resolved = resolveConnection(edge, names, errors);
    if (resolved === null) continue;
    if ('after' in resolved) {
      addOrder(resolved, errors);
      orders += 1;
      continue;
    }
    const { to, connection } = resolved;
    const { source, carries, param, port } = connection;
    // Text with a NUL was rejected before, so a NUL is the only separator that no name contains.
    const identity = `${to.name}\0${source}\0${carries}\0${param}\0${port}`;
    if (seen.has(identity)) {
      const message = `The source ${showName(source)} is connected twice to input ${showName(param)} of node ${showName(to.name)}.`;
      errors.add({
        code: 'duplicate_edge',
        message,
        node: to.name,
        port: connection.param,
        hint: 'Remove one of the two connections.',
      });
      continue;
    }
    seen.add(identity);
    to.connections.push(connection);
  }
  return seen.size + orders;
}

function addOrder({ to, after }: { to: LevelNode; after: string }, errors: Problems): void {
  if (to.after.has(after)) {
    const message = `Two connections let node ${showName(to.name)} run after ${showName(after)} without data.`;
    errors.add({ code: 'duplicate_edge', message, node: to.name, hint: 'Remove one of the two connections.' });
  }
  to.after.add(after);
}

function sortNodes(nodes: Map<string, LevelNode>, errors: Problems): Map<string, LevelNode> | null {
  const before = new Map<string, Set<string>>();
  for (const node of nodes.values()) {
    const sources = new Set([...node.after, ...(node.condition?.nodes ?? [])]);
    for (const { from, source } of node.connections) if (from !== 'primitive') sources.add(source);
    before.set(node.name, sources);
  }
  const ordering = orderNodes(before);
  if ('cycle' in ordering) {
    reportCycle(ordering.cycle, nodes, errors);
    return null;
  }
  return new Map(ordering.order.flatMap((name) => nodes.get(name) ?? []).map((node) => [node.name, node]));
}

/** Characters of node names in the `nodes` field of one problem. */
const MAX_CYCLE_LENGTH = 100_000;

function reportCycle(cycle: string[], nodes: ReadonlyMap<string, LevelNode>, errors: Problems): void {
  const shown = cycle.length > 12 ? [...cycle.slice(0, 6), '…', ...cycle.slice(-5)] : cycle;
  const [node = ''] = cycle;
  const hasCondition = cycle.some((name) => nodes.get(name)?.condition != null);
  const isTooLong = cycle.reduce((length, name) => length + name.length, 0) > MAX_CYCLE_LENGTH;
  errors.add({
    code: 'cycle',
    message: `${hasCondition ? 'Connections and conditions' : 'The connections'} form a cycle: ${shown.join(' → ')}.`,
    node,
    hint: `Remove one of them, for example the one from ${showName(cycle.at(-2) ?? node)} to ${showName(node)}.`,
    ...(isTooLong ? {} : { nodes: cycle }),
  });
}

function sum(nodes: Map<string, LevelNode>, count: (node: LevelNode) => number): number {
  let total = 0;
  for (const node of nodes.values()) total += count(node);
  return total;
}
