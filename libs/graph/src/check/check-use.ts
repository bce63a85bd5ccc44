import { namedOutputs } from '../connect/module-ports.js';
import { showName } from '../names/check-name.js';
import { isLabelled, type Level, type LevelNode } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Warns of what is there but does nothing, or cannot be told apart. */
export function checkUse(level: Level, warnings: Problems): void {
  const sources = new Set<string>();
  for (const node of level.nodes.values()) for (const { source } of node.connections) sources.add(source);
  if (level.nodes.size === 0) {
    const message = 'the workflow has no nodes, so a run does nothing';
    warnings.add({ code: 'empty_workflow', message, hint: 'add a tool, a script or a module' });
  }
  for (const { id } of level.primitives.values()) {
    if (sources.has(id)) continue;
    const message = `input ${showName(id)} is connected to nothing`;
    warnings.add({ code: 'unused_primitive', message, node: id, hint: 'connect it to a node, or remove it' });
  }
  for (const { name, node, connections } of level.nodes.values()) {
    if (sources.has(name)) continue;
    if (node.type === 'SPLITTER') {
      const message = `nothing takes the items of splitter ${showName(name)}`;
      const hint = 'connect its output "output" to the node that is to run once for each item';
      warnings.add({ code: 'unused_splitter', message, node: name, port: 'output', hint });
    } else if (connections.length === 0 && level.nodes.size > 1) {
      const message = `node ${showName(name)} is connected to nothing`;
      const hint = 'connect it to what it works on, or to what works on its outputs; else it runs by itself';
      warnings.add({ code: 'unconnected_node', message, node: name, hint });
    }
  }
  checkLabels(level, sources, warnings);
}

function checkLabels(level: Level, sources: ReadonlySet<string>, warnings: Problems): void {
  const labels = new Set<string>();
  for (const { label, output } of namedOutputs(level)) {
    if (labels.has(label)) {
      warnings.add({
        code: 'duplicate_label',
        message: `several outputs are named ${showName(label)}`,
        node: output.node,
        hint: 'give each a label of its own, so that a run can ask for one of them',
      });
    }
    labels.add(label);
  }
  for (const [label, nodes] of groupByLabel(level)) {
    const lost = nodes.filter((node) => isLost(node, sources));
    const [first] = lost;
    if (first === undefined) continue;
    warnings.add({
      code: 'duplicate_label',
      message: `the label ${showName(label)} makes no named output of ${listNames(lost)}, because several nodes have it: ${listNames(nodes)}`,
      node: first.name,
      hint: 'give each of them a label of its own in "meta"',
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

/** A last node whose written label equals its name without the number makes no named output if another node has it too. */
const isLost = (node: LevelNode, sources: ReadonlySet<string>): boolean =>
  isLabelled(node) && !node.named && !sources.has(node.name);

const MAX_LISTED = 12;

function listNames(nodes: readonly LevelNode[]): string {
  const shown = nodes.slice(0, MAX_LISTED).map(({ name }) => showName(name));
  const more = nodes.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
