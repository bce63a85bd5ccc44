import { showName } from './check-name.js';
import { type Level } from './level.js';
import { namedOutputs } from './module-ports.js';
import { type Problems } from './problem.js';

/** Warns of what is there but does nothing, or cannot be told apart. */
export function checkUse(level: Level, warnings: Problems): void {
  const sources = new Set<string>();
  for (const node of level.nodes.values()) for (const { source } of node.connections) sources.add(source);
  if (level.nodes.size === 0)
    warnings.add({ code: 'empty_workflow', message: 'the workflow has no nodes, so a run does nothing' });
  for (const { id } of level.primitives.values()) {
    if (!sources.has(id))
      warnings.add({ code: 'unused_primitive', message: `input ${showName(id)} is connected to nothing`, node: id });
  }
  for (const { name, node, connections } of level.nodes.values()) {
    if (sources.has(name)) continue;
    if (node.type === 'SPLITTER') {
      warnings.add({
        code: 'unused_splitter',
        message: `nothing takes the items of splitter ${showName(name)}`,
        node: name,
      });
    } else if (connections.length === 0 && level.nodes.size > 1) {
      warnings.add({ code: 'unconnected_node', message: `node ${showName(name)} is connected to nothing`, node: name });
    }
  }
  const labels = new Set<string>();
  for (const { label, output } of namedOutputs(level)) {
    if (labels.has(label)) {
      warnings.add({
        code: 'duplicate_label',
        message: `several outputs are named ${showName(label)}`,
        node: output.node,
      });
    }
    labels.add(label);
  }
}
