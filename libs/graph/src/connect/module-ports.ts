import { type Level, type LevelNode, type OutputPort, type Primitive } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';

/**
 * Input ports of a workflow as a module: its named primitives, and those that have no value of their own, each reached
 * by its label and by its id. Primitives that share a label are set together.
 */
export function inputPorts(primitives: Iterable<Primitive>): Map<string, Primitive[]> {
  const ports = new Map<string, Primitive[]>();
  const open = [...primitives].filter((primitive) => primitive.named || primitive.value === null);
  for (const primitive of open) ports.set(primitive.id, [primitive]);
  for (const primitive of open) {
    if (!primitive.named) continue;
    const sharing = ports.get(primitive.label);
    if (sharing === undefined) ports.set(primitive.label, [primitive]);
    else if (sharing[0]?.id !== primitive.label) sharing.push(primitive);
  }
  return ports;
}

/**
 * Output ports of a workflow as a module: its named tools and scripts by label, and by node name where no label takes
 * that name. A named module inside of it gives each of its own as `<label>/<port>`. Which of `file` and `folder` a port
 * gives depends on what it is connected to.
 */
export function outputPorts(nodes: Iterable<LevelNode>): Map<string, OutputPort> {
  const ports = new Map<string, OutputPort>();
  const named = [...nodes].filter((node) => node.named).sort((a, b) => compareNames(a.name, b.name));
  for (const node of named)
    for (const port of portsOf(node, node.label)) offer(ports, port, node, port.slice(node.label.length + 1));
  for (const node of named) if (hasFile(node)) offer(ports, node.name, node, '');
  return ports;
}

const hasFile = (node: LevelNode): boolean => node.node.type === 'TOOL' || node.node.type === 'SCRIPT';

function portsOf(node: LevelNode, label: string): string[] {
  if (node.module !== null) return [...node.module.outputs.keys()].map((inner) => `${label}/${inner}`);
  return hasFile(node) ? [label] : [];
}

function offer(ports: Map<string, OutputPort>, port: string, node: LevelNode, inner: string): void {
  if (!ports.has(port)) ports.set(port, { node: node.name, inner: node.module === null ? null : inner });
}

/** Open inputs of a module, each once, under the name a user would use. */
export function openInputs(level: Level): Map<string, Primitive> {
  const open = new Map<string, Primitive>();
  for (const primitive of level.primitives.values()) {
    if (!primitive.named && primitive.value !== null) continue;
    open.set(primitive.named && !open.has(primitive.label) ? primitive.label : primitive.id, primitive);
  }
  return open;
}

/** The named outputs of a workflow: its named nodes, and those of the modules that it names. */
export function namedOutputs(level: Level): { label: string; output: OutputPort }[] {
  const list: { label: string; output: OutputPort }[] = [];
  for (const { name, label, named, module, node } of level.nodes.values()) {
    if (!named) continue;
    for (const inner of module === null ? [] : namedOutputs(module)) {
      list.push({ label: `${label}/${inner.label}`, output: { node: name, inner: inner.label } });
    }
    if (node.type === 'TOOL' || node.type === 'SCRIPT') list.push({ label, output: { node: name, inner: null } });
  }
  return list;
}
