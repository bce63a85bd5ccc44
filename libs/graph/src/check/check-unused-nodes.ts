import { namedOutputs } from '../connect/module-ports.js';
import { showName } from '../names/check-name.js';
import { isLabelled, type Level, type LevelNode } from '../parse/level.js';
import type { Problems } from './problem.js';

/** Warns of nodes and inputs that have no effect, and of outputs that have the same name. */
export function checkUnusedNodes(level: Level, warnings: Problems): void {
  const sources = new Set<string>();
  /** Nodes that others follow without data, and inputs that conditions use. */
  const referred = new Set<string>();
  for (const node of level.nodes.values()) {
    for (const { source } of node.connections) sources.add(source);
    for (const name of listOrderSources(node)) referred.add(name);
    for (const id of node.condition?.inputs ?? []) referred.add(id);
  }
  if (level.nodes.size === 0) {
    const message = 'The workflow has no nodes, so a run does nothing.';
    warnings.add({ code: 'empty_workflow', message, hint: 'Add a tool, a script or a module.' });
  }
  for (const { id } of level.primitives.values()) {
    if (sources.has(id) || referred.has(id)) continue;
    const message = `Input ${showName(id)} of the workflow is not connected to any node.`;
    warnings.add({ code: 'unused_primitive', message, node: id, hint: 'Connect it to a node, or remove it.' });
  }
  for (const target of level.nodes.values()) {
    const { name, node, connections } = target;
    if (sources.has(name)) continue;
    const isOrdered = referred.has(name) || listOrderSources(target).length > 0;
    if (node.type === 'SPLITTER') {
      const message = `The output of splitter ${showName(name)} is not connected, so its items are not used.`;
      const hint = 'Connect its output "output" to the node that should run once per item.';
      warnings.add({ code: 'unused_splitter', message, node: name, port: 'output', hint });
    } else if (connections.length === 0 && !isOrdered && level.nodes.size > 1) {
      const message = `Node ${showName(name)} is not connected to any other node.`;
      const hint = 'Connect one of its inputs or outputs. If it should run on its own, ignore this warning.';
      warnings.add({ code: 'unconnected_node', message, node: name, hint });
    }
  }
  checkLabels(level, sources, warnings);
}

/** Nodes that must end before a node although it takes no data from them. */
const listOrderSources = ({ after, condition }: LevelNode): string[] => [...after, ...(condition?.nodes ?? [])];

function checkLabels(level: Level, sources: ReadonlySet<string>, warnings: Problems): void {
  const labels = new Set<string>();
  for (const { label, output } of namedOutputs(level)) {
    if (labels.has(label)) {
      warnings.add({
        code: 'duplicate_label',
        message: `Several outputs of the workflow are named ${showName(label)}.`,
        node: output.node,
        hint: 'Give each node a label of its own in `meta.label`, so that each output has its own name.',
      });
    }
    labels.add(label);
  }
  for (const [label, nodes] of groupByLabel(level)) {
    const unnamed = nodes.filter((node) => hasUnusedLabel(node, sources));
    const [first] = unnamed;
    if (first === undefined) continue;
    warnings.add({
      code: 'duplicate_label',
      message: `The outputs of ${listNames(unnamed)} are not named outputs of the workflow, because several nodes have the label ${showName(label)}: ${listNames(nodes)}.`,
      node: first.name,
      hint: 'Give each of these nodes a label of its own in `meta.label`.',
    });
  }
}

function groupByLabel(level: Level): Map<string, LevelNode[]> {
  const groups = new Map<string, LevelNode[]>();
  for (const node of level.nodes.values()) {
    const group = groups.get(node.label);
    if (group === undefined) groups.set(node.label, [node]);
    else group.push(node);
  }
  return groups;
}

/**
 * A final node whose label equals its base name (`sort` of `sort-3`) makes no named output if another node has that label.
 */
const hasUnusedLabel = (node: LevelNode, sources: ReadonlySet<string>): boolean =>
  isLabelled(node) && !node.isNamed && !sources.has(node.name);

const MAX_LISTED = 12;

function listNames(nodes: readonly LevelNode[]): string {
  const shown = nodes.slice(0, MAX_LISTED).map(({ name }) => showName(name));
  const more = nodes.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Warns of nodes that can never run because a node that they depend on, directly or indirectly, has an error. */
export function checkUnreachableNodes(level: Level, brokenNodes: Set<string>, warnings: Problems): void {
  const causes = new Map<string, string>();
  // The nodes are in topological order, so the causes of a node's sources are known before the node is checked.
  for (const target of level.nodes.values()) {
    const { name, connections } = target;
    const sources = connections.flatMap(({ source, from }) => (from === 'primitive' ? [] : [source]));
    for (const source of [...sources, ...listOrderSources(target)]) {
      const cause = brokenNodes.has(source) ? source : causes.get(source);
      if (cause !== undefined) causes.set(name, cause);
    }
    const cause = causes.get(name);
    if (cause === undefined || brokenNodes.has(name)) continue;
    const message = `Node ${showName(name)} can never run because it depends on node ${showName(cause)}, which has an error.`;
    warnings.add({ code: 'unreachable_node', message, node: name, hint: `Fix the error of node ${showName(cause)}.` });
  }
}
