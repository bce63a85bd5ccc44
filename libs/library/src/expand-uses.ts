import type { Problem } from '@millrace/graph/check/problem';
import { fieldOf, isRecord } from '@millrace/graph/data/is-record';
import { suggestName } from '@millrace/graph/names/suggest-name';
import { toNode, type NodeSource } from './to-node.js';

/** A module that nodes name in `uses`, with the number of the version to copy. */
export interface UsedModule extends NodeSource {
  version: number;
}

/** Explains why `uses` names no module. */
export interface InvalidUse {
  message: string;
  hint?: string;
}

export type Json = Record<string, unknown>;

/** Inputs that every script has without a declaration. */
const UNDECLARED_INPUTS = ['file', 'folder'];

/** A module that nodes use, by its name or id. */
export interface Use {
  uses: string;
  /** The version to copy, from `module_version`; absent for the latest. */
  version?: number;
}

/** Lists the modules that nodes use and that are not expanded yet, with the number of nodes. Accepts any data. */
export function listUses(data: unknown): (Use & { count: number })[] {
  const found = new Map<string, Use & { count: number }>();
  for (const node of Object.values(nodesOf(data))) {
    if (!isUnexpanded(node)) continue;
    const use = toUse(node);
    const key = JSON.stringify([use.version, use.uses]);
    found.set(key, { ...use, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()];
}

/**
 * Expands each node that has `uses` and no `type` into a copy of the module that it names: of the version `module_version`, or
 * else of the latest one. The node's own fields stay. Its inputs may be plain values.
 * @returns the data with those nodes expanded (the rest is shared with `data`), and a problem for each node that cannot be
 */
export function expandUses(
  data: unknown,
  find: (use: Use) => UsedModule | InvalidUse,
): { data: unknown; problems: Problem[] } {
  const problems: Problem[] = [];
  const expanded: [string, unknown][] = [];
  for (const [name, node] of Object.entries(nodesOf(data))) {
    if (!isUnexpanded(node)) continue;
    const badVersions = checkVersion(name, node);
    problems.push(...badVersions);
    if (badVersions.length > 0) continue;
    const found = find(toUse(node));
    if ('message' in found) {
      const { message, hint } = found;
      const problem = { code: 'unknown_library_module' as const, node: name, path: `nodes.${name}.uses`, message };
      problems.push({ ...problem, ...(hint !== undefined && { hint }) });
    } else expanded.push([name, expandNode(name, node, found, problems)]);
  }
  if (expanded.length === 0) return { data, problems };
  const nodes = { ...nodesOf(data), ...Object.fromEntries(expanded) };
  return { data: { ...(data as Json), nodes }, problems };
}

/** Numbers of versions are integers of Postgres. */
const MAX_VERSION = 2_147_483_647;

/** Whether a value can be the number of a version. */
export const isVersionNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_VERSION;

const toUse = ({ uses, module_version: version }: Json & { uses: string }): Use =>
  isVersionNumber(version) ? { uses, version } : { uses };

/** Another version than the one that the node names would be another program. */
function checkVersion(name: string, { module_version: version }: Json): Problem[] {
  if (version === undefined || version === null || isVersionNumber(version)) return [];
  const message = `Node "${name}" has a \`module_version\` that is not the number of a version.`;
  const hint = 'Use a whole number, such as 1, or remove it to use the latest version.';
  return [{ code: 'bad_value', message, node: name, path: `nodes.${name}.module_version`, hint }];
}

export const nodesOf = (data: unknown): Json => {
  const nodes = fieldOf(data, 'nodes');
  return isRecord(nodes) ? nodes : {};
};

/** A node with a type is complete: it was expanded before, or never used a module. */
const isUnexpanded = (node: unknown): node is Json & { uses: string } =>
  isRecord(node) && typeof node['uses'] === 'string' && (node['type'] === undefined || node['type'] === null);

/** The module's name and label are not copied, because a label that differs from the node's name makes a named output. */
export function expandNode(name: string, node: Json, module: UsedModule, problems: Problem[]): Json {
  const { name: _name, meta: _meta, inputs, type, ...copy } = toNode(module);
  const own = { id: module.id, module_version: module.version, type };
  return {
    ...copy,
    ...node,
    ...own,
    inputs: setInputs(name, node['inputs'], inputs as Record<string, Json>, problems),
  };
}

function setInputs(node: string, values: unknown, declared: Record<string, Json>, problems: Problem[]): unknown {
  if (values === undefined || values === null) return declared;
  if (!isRecord(values)) return values;
  const inputs: Json = { ...declared };
  for (const [key, value] of Object.entries(values)) {
    if (Object.hasOwn(declared, key)) inputs[key] = setInput(declared[key] ?? {}, value);
    else if (isUndeclared(key, value, declared)) inputs[key] = value;
    else problems.push(unknownInput(node, key, Object.keys(declared)));
  }
  return inputs;
}

/** `input` is a value or an object of fields. An input with a value becomes visible. */
export function setInput(declared: Json, input: unknown): Json {
  const fields = isRecord(input) ? input : { value: input };
  const isSet = fields['value'] !== undefined && fields['value'] !== null;
  return { ...declared, ...(isSet && { visible: true }), ...fields };
}

/** Whether the key is the entry of a connection (`<input>/<source>`), or an input that scripts have without declaring it. */
function isUndeclared(key: string, value: unknown, declared: Record<string, Json>): boolean {
  const [base = '', source] = key.split('/', 2);
  const exists = Object.hasOwn(declared, base) || UNDECLARED_INPUTS.includes(base);
  return exists && isRecord(value) && (source !== undefined || typeof value['type'] === 'string');
}

function unknownInput(node: string, key: string, names: string[]): Problem {
  const hint =
    suggestName(key, names) ??
    (names.length > 0 ? `Use one of its inputs: ${names.join(', ')}.` : 'Remove it: the module has no inputs.');
  const message = `Node "${node}" sets the input "${key}", which its library module does not have.`;
  return { code: 'unknown_input', message, node, port: key, path: `nodes.${node}.inputs.${key}`, hint };
}
