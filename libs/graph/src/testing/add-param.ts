import type { WorkflowData, WorkflowNode } from '../data/workflow-data.js';

/** The parameter that `addParam` adds. */
export const ADDED_PARAM = 'level';

/** Gives every script of a workflow a parameter that may stay empty. */
export function addParam(data: WorkflowData): WorkflowData {
  const nodes = Object.entries(data.nodes ?? {}).map(([name, node]): [string, WorkflowNode] => {
    if (node.type !== 'SCRIPT') return [name, node];
    const param = { type: 'STRING' as const, order: 1, visible: false, value: 'first' };
    return [name, { ...node, inputs: { ...node.inputs, [ADDED_PARAM]: param } }];
  });
  return { ...data, nodes: Object.fromEntries(nodes) };
}

/** The names of a workflow's scripts, without those of its modules. */
export const listScripts = (data: WorkflowData): string[] =>
  Object.entries(data.nodes ?? {}).flatMap(([name, { type }]) => (type === 'SCRIPT' ? [name] : []));
