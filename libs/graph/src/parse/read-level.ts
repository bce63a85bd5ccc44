import { type Problems } from '../check/problem.js';
import { inputPorts, outputPorts } from '../connect/module-ports.js';
import { resolveConnection } from '../connect/resolve-connection.js';
import { MAX_STEPS, type ModuleVersion, type WorkflowData, type WorkflowNode } from '../data/workflow-data.js';
import { NAME_HINT, checkName, showName } from '../names/check-name.js';
import { baseName, isLabelled, type Level, type LevelNode, type OutputPort } from './level.js';
import { orderNodes } from './order-nodes.js';
import { readPrimitives } from './read-primitives.js';

/**
 * Resolves the names of one workflow's data. Gives null where no order can be found; other errors leave out what is
 * wrong, so that the rest can still be looked at. `modules` gives what a WORKFLOW node wraps.
 * @param origin space and author of a module; empty for the workflow of the run
 */
export function readLevel(
  data: WorkflowData,
  modules: (key: string) => Level | null,
  errors: Problems,
  origin: Pick<ModuleVersion, 'space' | 'author'>,
): Level | null {
  const primitives = readPrimitives(data, errors);
  const nodes = readNodes(data, modules, errors);
  for (const name of nodes.keys()) {
    if (primitives.has(name))
      errors.add({
        code: 'duplicate_name',
        message: `${showName(name)} is both a node and an input`,
        node: name,
        hint: 'give one of them another name',
      });
  }
  const links = connectNodes(data, { nodes, primitives }, errors);
  nameLastNodes(nodes);
  const ordered = inOrder(nodes, errors);
  if (ordered === null) return null;
  const steps = sum(ordered, (node) => (node.module?.steps ?? 1) + (node.node.distribution ? 1 : 0));
  return {
    space: origin.space ?? null,
    author: origin.author ?? null,
    nodes: ordered,
    primitives,
    inputs: inputPorts(primitives.values()),
    // Modules inside of modules multiply; what is too large is refused, and must not be listed before that.
    outputs: steps > MAX_STEPS ? new Map<string, OutputPort>() : outputPorts(ordered.values()),
    steps,
    links: sum(ordered, (node) => node.module?.links ?? 0) + links,
  };
}

function readNodes(
  data: WorkflowData,
  modules: (key: string) => Level | null,
  errors: Problems,
): Map<string, LevelNode> {
  const nodes = new Map<string, LevelNode>();
  for (const [name, node] of Object.entries(data.nodes ?? {})) {
    const wrong = checkName(name);
    if (wrong !== null) {
      errors.add({
        code: 'bad_name',
        message: `the node name ${showName(name)} ${wrong}`,
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
      named: label !== '' && label !== baseName(name),
      node,
      inputs,
      ownEntries: [...inputs.keys()].some((key) => key.includes('/')),
      module: wrapped(node, modules),
      connections: [],
    });
  }
  return nodes;
}

/**
 * Makes a tool or script whose label is its name without the number a named output as well if nothing takes what it gives, and no
 * other node has that label. Editors and the library give such a label to every node, so that not all of them can be meant.
 */
function nameLastNodes(nodes: ReadonlyMap<string, LevelNode>): void {
  const taken = new Set<string>();
  const labels = new Map<string, number>();
  for (const { connections, label } of nodes.values()) {
    labels.set(label, (labels.get(label) ?? 0) + 1);
    for (const { source, from } of connections) if (from !== 'primitive') taken.add(source);
  }
  for (const node of nodes.values()) {
    if (isLabelled(node) && !taken.has(node.name) && labels.get(node.label) === 1) node.named = true;
  }
}

const wrapped = (node: WorkflowNode, modules: (key: string) => Level | null): Level | null =>
  node.type === 'WORKFLOW' && typeof node.workflow === 'string' ? modules(node.workflow) : null;

/** Hangs every edge on the node that it leads to; gives their number. */
function connectNodes(data: WorkflowData, names: Pick<Level, 'nodes' | 'primitives'>, errors: Problems): number {
  const seen = new Set<string>();
  for (const edge of data.connections ?? []) {
    const resolved = resolveConnection(edge, names, errors);
    if (resolved === null) continue;
    const { to, connection } = resolved;
    const { source, carries, param, port } = connection;
    // Text with a NUL was refused before: nothing else can part names for certain.
    const identity = `${to.name}\0${source}\0${carries}\0${param}\0${port}`;
    if (seen.has(identity)) {
      const message = `${showName(source)} is connected twice to input ${showName(param)} of node ${showName(to.name)}`;
      errors.add({
        code: 'duplicate_edge',
        message,
        node: to.name,
        port: connection.param,
        hint: 'remove one of the two',
      });
      continue;
    }
    seen.add(identity);
    to.connections.push(connection);
  }
  return seen.size;
}

function inOrder(nodes: Map<string, LevelNode>, errors: Problems): Map<string, LevelNode> | null {
  const before = new Map<string, Set<string>>();
  for (const node of nodes.values()) {
    const needed = new Set<string>();
    for (const { from, source } of node.connections) if (from !== 'primitive') needed.add(source);
    before.set(node.name, needed);
  }
  const ordering = orderNodes(before);
  if ('cycle' in ordering) {
    reportCycle(ordering.cycle, errors);
    return null;
  }
  return new Map(ordering.order.flatMap((name) => nodes.get(name) ?? []).map((node) => [node.name, node]));
}

/** Most characters of names that a problem lists. */
const MAX_LISTED = 100_000;

function reportCycle(cycle: string[], errors: Problems): void {
  const shown = cycle.length > 12 ? [...cycle.slice(0, 6), '…', ...cycle.slice(-5)] : cycle;
  const [node = ''] = cycle;
  const long = cycle.reduce((length, name) => length + name.length, 0) > MAX_LISTED;
  errors.add({
    code: 'cycle',
    message: `the connections form a cycle: ${shown.join(' → ')}`,
    node,
    hint: `remove one of them, for example the one from ${showName(cycle.at(-2) ?? node)} to ${showName(node)}`,
    ...(long ? {} : { nodes: cycle }),
  });
}

function sum(nodes: Map<string, LevelNode>, of: (node: LevelNode) => number): number {
  let total = 0;
  for (const node of nodes.values()) total += of(node);
  return total;
}
