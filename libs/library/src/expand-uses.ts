import type { Problem } from '@millrace/graph/check/problem';
import { fieldOf, isRecord } from '@millrace/graph/data/is-record';
import { suggestName } from '@millrace/graph/names/suggest-name';
import { toNode, type NodeSource } from './to-node.js';

/** A module that nodes name by `uses`, with the number of the version that is copied. */
export interface UsedModule extends NodeSource {
  version: number;
}

/** Why `uses` names no module. */
export interface InvalidUse {
  message: string;
  hint?: string;
}

type Json = Record<string, unknown>;

/** What may be connected to every script without a declaration. */
const FREE_INPUTS = ['file', 'folder'];

/**
 * The names or ids of library modules that nodes of the data use and that are not filled in yet, with how many nodes
 * use each. Reads any data without complaint.
 */
export function countUses(data: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of Object.values(nodesOf(data))) {
    if (isUnfilled(node)) counts.set(node.uses, (counts.get(node.uses) ?? 0) + 1);
  }
  return counts;
}

/**
 * Fills in each node that has `uses` and no `type` from the module that it names: everything that a node copied from the
 * module would have. What the node sets itself stays; its inputs may be bare values.
 * @returns the data with those nodes filled in, sharing the rest with what was given, and a problem for each that cannot be
 */
export function expandUses(
  data: unknown,
  find: (uses: string) => UsedModule | InvalidUse,
): { data: unknown; problems: Problem[] } {
  const problems: Problem[] = [];
  const filled: [string, unknown][] = [];
  for (const [name, node] of Object.entries(nodesOf(data))) {
    if (!isUnfilled(node)) continue;
    const found = find(node.uses);
    if ('message' in found) {
      problems.push({ code: 'unknown_library_module', node: name, path: `nodes.${name}.uses`, ...found });
    } else filled.push([name, fillIn(name, node, found, problems)]);
  }
  if (filled.length === 0) return { data, problems };
  const nodes = { ...nodesOf(data), ...Object.fromEntries(filled) };
  return { data: { ...(data as Json), nodes }, problems };
}

const nodesOf = (data: unknown): Json => {
  const nodes = fieldOf(data, 'nodes');
  return isRecord(nodes) ? nodes : {};
};

/** A node with a type has its own copy: of one that was filled in before, or made elsewhere. */
const isUnfilled = (node: unknown): node is Json & { uses: string } =>
  isRecord(node) && typeof node['uses'] === 'string' && (node['type'] === undefined || node['type'] === null);

/** Name and label are the node's own matter: a label that differs from its name makes a named output. */
function fillIn(name: string, node: Json, module: UsedModule, problems: Problem[]): Json {
  const { name: _name, meta: _meta, inputs, type, ...copy } = toNode(module);
  const own = { id: module.id, module_version: module.version, type };
  return {
    ...copy,
    ...node,
    ...own,
    inputs: setInputs(name, node['inputs'], inputs as Record<string, Json>, problems),
  };
}

function setInputs(node: string, given: unknown, declared: Record<string, Json>, problems: Problem[]): unknown {
  if (given === undefined || given === null) return declared;
  if (!isRecord(given)) return given;
  const inputs: Json = { ...declared };
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(declared, key)) inputs[key] = setInput(declared[key] ?? {}, value);
    else if (isFree(key, value, declared)) inputs[key] = value;
    else problems.push(unknownInput(node, key, Object.keys(declared)));
  }
  return inputs;
}

/** An input is given a value, or some of its fields. One that a module hides until it is set is shown then. */
function setInput(declared: Json, given: unknown): Json {
  const fields = isRecord(given) ? given : { value: given };
  const isSet = fields['value'] !== undefined && fields['value'] !== null;
  return { ...declared, ...(isSet && { visible: true }), ...fields };
}

/** An entry of a connection (`<input>/<source>`), or an input that scripts have without declaring it. */
function isFree(key: string, value: unknown, declared: Record<string, Json>): boolean {
  const [base = '', source] = key.split('/', 2);
  const exists = Object.hasOwn(declared, base) || FREE_INPUTS.includes(base);
  return exists && isRecord(value) && (source !== undefined || typeof value['type'] === 'string');
}

function unknownInput(node: string, key: string, names: string[]): Problem {
  const hint =
    suggestName(key, names) ??
    (names.length > 0 ? `Use one of its inputs: ${names.join(', ')}.` : 'Remove it: the module has no inputs.');
  const message = `Node "${node}" sets the input "${key}", which its library module does not have.`;
  return { code: 'unknown_input', message, node, port: key, path: `nodes.${node}.inputs.${key}`, hint };
}
