import { showName } from '../names/check-name.js';
import { type LevelNode } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Checks what only nodes of type APPROVAL may have, and warns of fields that have no effect on them. */
export function checkApproval(target: LevelNode, errors: Problems, warnings: Problems): void {
  const { name, node } = target;
  const { approval, type } = node;
  if (type !== 'APPROVAL') {
    if (approval == null || Object.keys(approval).length === 0) return;
    const message = `Node ${showName(name)} has an \`approval\` but the type ${type}, so it would run without one.`;
    const hint = 'Put a node of type APPROVAL before it, or remove `approval`.';
    errors.add({ code: 'bad_approval', message, node: name, path: `nodes.${name}.approval`, hint });
    return;
  }
  for (const field of listUnusedFields(target)) {
    const message = `\`${field}\` of the approval ${showName(name)} has no effect, because an approval runs no program.`;
    warnings.add({ code: 'unused_field', message, node: name, path: `nodes.${name}.${field}`, hint: 'Remove it.' });
  }
  if (approval?.on_expiry == null || approval.expires_after_seconds != null) return;
  const message = `The approval ${showName(name)} has an \`on_expiry\` but never expires.`;
  const hint = 'Set `expires_after_seconds`, or remove `on_expiry`.';
  warnings.add({ code: 'unused_field', message, node: name, path: `nodes.${name}.approval.on_expiry`, hint });
}

/** Fields with a value. Editors write some of them for every node, with the value that has no effect. */
function listUnusedFields({ node, inputs }: LevelNode): string[] {
  const fields = [
    'container',
    'script',
    'output_command',
    'retries',
    'timeout_seconds',
    'cache',
    'network',
    'workflow',
  ];
  const unused = fields.filter((field) => hasValue(node[field]));
  const others = [...inputs].filter(([key, input]) => !/^(?:file|folder)(?:\/|$)/.test(key) && hasValue(input.value));
  return [...unused, ...others.map(([key]) => `inputs.${key}`)];
}

const hasValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasValue)
    : value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
