import type { SourceType, TargetType } from '@millrace/graph/connect/match-types';
import type { Document, NodeRecord } from '../document/document.js';
import { indexConnections } from './connection-index.js';

export interface InputPort {
  name: string;
  type: TargetType;
  /** Whether the input takes several connections. */
  isMulti: boolean;
}

export interface OutputPort {
  name: string;
  type: SourceType;
}

const DEFAULT_INPUTS: InputPort[] = [
  { name: 'file', type: 'FILE', isMulti: true },
  { name: 'folder', type: 'FOLDER', isMulti: true },
];

/** All inputs that a connection to the node may use, sorted by order. */
export function listInputs(node: NodeRecord): InputPort[] {
  if (node.type === 'SPLITTER') return [{ name: 'multiple', type: 'LINES', isMulti: true }];
  if (node.type === 'APPROVAL') return DEFAULT_INPUTS;
  const declared = Object.entries(node.inputs ?? {})
    .filter(([name]) => node.type === 'WORKFLOW' || !name.includes('/'))
    .sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0))
    .map(([name, { type, multi }]): InputPort => ({
      name,
      type: targetType(node, name, type),
      isMulti: multi === true,
    }));
  if (node.type !== 'SCRIPT') return declared;
  const missing = DEFAULT_INPUTS.filter(({ name }) => !declared.some((input) => input.name === name));
  return [...declared, ...missing.map((input) => ({ ...input, type: targetType(node, input.name, input.type) }))];
}

/** A distributed input takes what is split. */
function targetType({ distribution }: NodeRecord, name: string, type: TargetType): TargetType {
  if (distribution?.input !== name) return type;
  return distribution.mode === 'file' ? 'FILES' : 'LINES';
}

export function listOutputs(node: NodeRecord): OutputPort[] {
  if (node.type === 'SPLITTER') return [{ name: 'output', type: 'ITEM' }];
  if (node.type === 'WORKFLOW') return Object.keys(node.outputs ?? {}).map((name) => ({ name, type: 'OUTPUT' }));
  return [
    { name: 'file', type: 'FILE' },
    { name: 'folder', type: 'FOLDER' },
  ];
}

export interface Ports {
  inputs: readonly InputPort[];
  outputs: readonly OutputPort[];
}

/**
 * The ports that the canvas draws. A text that has a value of its own, and an input that is switched off, are settings of the
 * node; they become ports when they are connected.
 */
export function shownPorts(document: Document, id: string): Ports {
  const input = document.primitiveNodes[id];
  if (input) return { inputs: [], outputs: [{ name: 'output', type: input.type }] };
  const node = document.nodes[id];
  if (!node) return { inputs: [], outputs: [] };
  const { into, from } = indexConnections(document);
  const connected = new Set((into.get(id) ?? []).map(({ targetPort }) => targetPort));
  const inputs = listInputs(node).filter(({ name, type }) => connected.has(name) || isPort(node, name, type));
  const outputs = listOutputs(node);
  return {
    inputs: [...inputs, ...undeclared(connected, inputs, 'FILE')],
    outputs: [
      ...outputs,
      ...undeclared(new Set((from.get(id) ?? []).map(({ sourcePort }) => sourcePort)), outputs, 'OUTPUT'),
    ],
  };
}

function isPort(node: NodeRecord, name: string, type: TargetType): boolean {
  const { value, visible } = node.inputs?.[name] ?? {};
  if (visible === false) return false;
  return type !== 'BOOLEAN' && (value === undefined || value === null || value === '');
}

/** Ports that only connections name: of modules, whose nodes need not declare them, and misspelt ones. */
function undeclared<T extends InputPort['type'] | OutputPort['type']>(
  names: ReadonlySet<string>,
  ports: readonly { name: string }[],
  type: T,
): { name: string; type: T; isMulti: boolean }[] {
  const known = new Set(['', ...ports.map(({ name }) => name)]);
  return [...names].filter((name) => !known.has(name)).map((name) => ({ name, type, isMulti: true }));
}

/** The type of a port; undefined if it does not exist. */
export function typeOfPort(
  document: Document,
  { node: id, port, side }: { node: string; port: string; side: 'inputs' | 'outputs' },
): SourceType | TargetType | undefined {
  return shownPorts(document, id)[side].find(({ name }) => name === port)?.type;
}
