import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@millrace/graph/data/is-record';
import { expandNode, isVersionNumber, nodesOf, setInput, type Json, type UsedModule } from './expand-uses.js';

/** A node that was copied from a version of a library module. */
export interface CopiedNode {
  uses: string;
  id: string;
  version: number;
}

/** Lists the versions of modules from which nodes were copied. Accepts any data. */
export function listCopies(data: unknown): CopiedNode[] {
  const found = new Map<string, CopiedNode>();
  for (const node of Object.values(nodesOf(data))) {
    const copied = toCopied(node);
    if (copied) found.set(JSON.stringify(Object.values(copied)), copied);
  }
  return [...found.values()];
}

/**
 * The opposite of `expandUses`: writes a node that was copied from a library module as `uses`, `module_version` and what differs
 * from the module. A node that would not expand to the same again, and one whose module is not found, stays as it is.
 */
export function shortenUses(data: Json, find: (copied: CopiedNode) => UsedModule | undefined): Json {
  const nodes = Object.entries(nodesOf(data)).map(([name, node]) => {
    const copied = toCopied(node);
    const module = copied && find(copied);
    return [name, module ? shortenNode(name, node as Json, module) : node];
  });
  return nodes.length === 0 ? data : { ...data, nodes: Object.fromEntries(nodes) };
}

function toCopied(node: unknown): CopiedNode | null {
  if (!isRecord(node)) return null;
  const { uses, id, type, module_version: version } = node;
  const isCopied = typeof uses === 'string' && typeof id === 'string' && typeof type === 'string';
  return isCopied && isVersionNumber(version) ? { uses, id, version } : null;
}

function shortenNode(name: string, node: Json, module: UsedModule): Json {
  const { uses, module_version } = node;
  const copy = expandNode(name, { uses, module_version }, module, []);
  const differs = ([key, value]: [string, unknown]) => key !== 'inputs' && !isDeepStrictEqual(copy[key], value);
  const own = Object.fromEntries(Object.entries(node).filter(differs));
  const inputs = shortenInputs(node['inputs'], copy['inputs']);
  const short = { uses, module_version, ...own, ...(Object.keys(inputs).length > 0 && { inputs }) };
  const problems: never[] = [];
  const isSame = isDeepStrictEqual(expandNode(name, short, module, problems), node) && problems.length === 0;
  return isSame ? short : node;
}

function shortenInputs(inputs: unknown, declared: unknown): Json {
  if (!isRecord(inputs) || !isRecord(declared)) return {};
  const changed = Object.entries(inputs).filter(([key, input]) => !isDeepStrictEqual(declared[key], input));
  return Object.fromEntries(changed.map(([key, input]) => [key, shortenInput(input, declared[key])]));
}

function shortenInput(input: unknown, declared: unknown): unknown {
  if (!isRecord(input) || !isRecord(declared)) return input;
  const { value } = input;
  const isPlain = typeof value !== 'object' && isDeepStrictEqual(setInput(declared, value), input);
  if (isPlain) return value;
  return Object.fromEntries(Object.entries(input).filter(([key, field]) => !isDeepStrictEqual(declared[key], field)));
}
