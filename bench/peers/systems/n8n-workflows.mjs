import { randomUUID } from 'node:crypto';
import { CHAINS, GATHER, SORT, SPLIT } from '../apps/steps.mjs';

/** The folder of the run, in an expression of n8n. */
const FOLDER = "{{ $('Webhook').first().json.body.folder }}";

/** @typedef {{ name: string, type: string, typeVersion: number, parameters: object }} Node */

/** @param {string} path */
const webhook = (path) => ({
  ...{ id: randomUUID(), name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: randomUUID() },
  // The response comes when the last node has ended, with its first item.
  parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
});

/**
 * @param {string} name
 * @param {string} field
 * @param {{ value: string, type: string }} assigned
 * @returns {Node}
 */
const editFields = (name, field, { value, type }) => ({
  ...{ name, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
  parameters: { assignments: { assignments: [{ id: randomUUID(), name: field, value, type }] }, options: {} },
});

/**
 * @param {string} name
 * @param {string} command
 * @param {{ executeOnce: boolean }} [options] `executeOnce: false` runs it for each item
 * @returns {Node}
 */
const executeCommand = (name, command, { executeOnce } = { executeOnce: true }) => ({
  ...{ name, type: 'n8n-nodes-base.executeCommand', typeVersion: 1 },
  parameters: { executeOnce, command: `=cd ${FOLDER} && ${command}` },
});

/** @returns {Node[]} */
function defineParts() {
  return [
    executeCommand('Split', `${SPLIT} && ls parts`),
    editFields('List', 'part', { value: '={{ $json.stdout.split("\\n") }}', type: 'array' }),
    {
      ...{ name: 'Parts', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
      parameters: { fieldToSplitOut: 'part', options: {} },
    },
    executeCommand('Sort', SORT('{{ $json.part }}'), { executeOnce: false }),
    executeCommand('Gather', GATHER),
  ];
}

/**
 * @param {string} chain
 * @returns {Node[]}
 */
function defineSteps(chain) {
  if (chain === 'w3') return defineParts();
  return (CHAINS[chain] ?? []).map((command, index) =>
    command === ''
      ? editFields(`Step ${index + 1}`, 'value', { value: '={{ ($json.value ?? 0) + 1 }}', type: 'number' })
      : executeCommand(`Step ${index + 1}`, command),
  );
}

/**
 * @param {string} chain
 * @param {{ savesProgress: boolean }} options whether n8n stores the state of the run after each node
 * @returns {object} a workflow of n8n, with the webhook that starts it and the steps one after the other
 */
export function defineWorkflow(chain, { savesProgress }) {
  const nodes = [webhook(chain), ...defineSteps(chain)].map((node, index) => ({
    id: randomUUID(),
    ...node,
    position: [index * 200, 0],
  }));
  const pairs = nodes.slice(1).map((node, index) => [nodes[index]?.name, node.name]);
  return {
    ...{ name: chain, nodes, active: false },
    connections: Object.fromEntries(
      pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
    ),
    settings: { executionOrder: 'v1', saveExecutionProgress: savesProgress },
  };
}
