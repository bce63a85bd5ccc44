import { type Level, type LevelNode, type OutputPort, type Primitive } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';

/**
 * Input ports of a workflow as a module: its named primitives, and those without a value. Each has a port under its id and,
 * if it is named, under its label. Primitives with the same label share a port.
 */
export function inputPorts(primitives: Iterable<Primitive>): Map<string, Primitive[]> {
  const ports = new Map<string, Primitive[]>();
  const open = [...primitives].filter((primitive) => primitive.isNamed || primitive.value === null);
  for (const primitive of open) ports.set(primitive.id, [primitive]);
  for (const primitive of open) {
    if (!primitive.isNamed) continue;
    const sharing = ports.get(primitive.label);
    if (sharing === undefined) ports.set(primitive.label, [primitive]);
    else if (sharing[0]?.id !== primitive.label) sharing.push(primitive);
  }
  return ports;
}

/**
 * Output ports of a workflow as a module: its named tools, scripts and approvals by label, and by node name unless a label has that
 * name. A named module inside of it adds each of its ports as `<label>/<port>`. Whether a port provides a file or a folder
 * depends on the destination that it is connected to.
 */
export function outputPorts(nodes: Iterable<LevelNode>): Map<string, OutputPort> {
  const ports = new Map<string, OutputPort>();
  const named = [...nodes].filter((node) => node.isNamed).sort((a, b) => compareNames(a.name, b.name));
  for (const node of named)
    for (const port of listPorts(node, node.label)) addPort(ports, port, node, port.slice(node.label.length + 1));
  for (const node of named) if (hasOutput(node)) addPort(ports, node.name, node, '');
  return ports;
}

const hasOutput = ({ node }: LevelNode): boolean => node.type !== 'SPLITTER' && node.type !== 'WORKFLOW';

function listPorts(node: LevelNode, label: string): string[] {
  if (node.module !== null) return [...node.module.outputs.keys()].map((inner) => `${label}/${inner}`);
  return hasOutput(node) ? [label] : [];
}

function addPort(ports: Map<string, OutputPort>, port: string, node: LevelNode, innerPort: string): void {
  if (!ports.has(port)) ports.set(port, { node: node.name, innerPort: node.module === null ? null : innerPort });
}

/** Inputs that a module's users can set, each once, by label or else by id. */
export function openInputs(level: Level): Map<string, Primitive> {
  const open = new Map<string, Primitive>();
  for (const primitive of level.primitives.values()) {
    if (!primitive.isNamed && primitive.value !== null) continue;
    open.set(primitive.isNamed && !open.has(primitive.label) ? primitive.label : primitive.id, primitive);
  }
  return open;
}

/** The named outputs of a workflow: its named nodes, and the named outputs of its named modules. */
export function namedOutputs(level: Level): { label: string; output: OutputPort }[] {
  const list: { label: string; output: OutputPort }[] = [];
  for (const node of level.nodes.values()) {
    const { name, label, isNamed, module } = node;
    if (!isNamed) continue;
    for (const inner of module === null ? [] : namedOutputs(module)) {
      list.push({ label: `${label}/${inner.label}`, output: { node: name, innerPort: inner.label } });
    }
    if (hasOutput(node)) list.push({ label, output: { node: name, innerPort: null } });
  }
  return list;
}
