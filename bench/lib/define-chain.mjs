import { edge } from './account.mjs';

/**
 * A workflow whose nodes run one after the other. The first one gets the input `input`, and each other one the output of the
 * one before it.
 * @param {string} name first part of the names of the nodes
 * @param {object[]} nodes with an input `file`
 */
export function defineChainOf(name, nodes) {
  const names = nodes.map((_, index) => `${name}-${index + 1}`);
  return {
    primitiveNodes: { 'http-input-1': { type: 'FILE', label: 'input' } },
    nodes: Object.fromEntries(names.map((node, index) => [node, nodes[index]])),
    connections: names.map((node, index) =>
      edge(index === 0 ? 'http-input-1/output' : `${names[index - 1]}/file`, `${node}/file`),
    ),
  };
}
