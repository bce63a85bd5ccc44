import { type z } from 'zod';
import { checkSize, countKeys } from '../check/check-size.js';
import { type Problem, type Problems } from '../check/problem.js';
import { fieldOf, isRecord } from '../data/is-record.js';
import {
  connection,
  MAX_ENTRIES,
  workflowNode,
  workflowShape,
  type Edge,
  type WorkflowData,
  type WorkflowNode,
} from '../data/workflow-data.js';
import { suggestName } from '../names/suggest-name.js';
import { findBadText } from './find-bad-text.js';

/** Reads a version's data. Gives null, and says why, where its shape is not that of a workflow. Takes anything. */
export function parseWorkflow(data: unknown, errors: Problems): WorkflowData | null {
  if (!checkSize(data, errors)) return null;
  const bad = findBadText(data);
  if (bad !== null) {
    const message = `${bad.path.join('.') || '(top)'} holds ${bad.what}`;
    errors.add({ code: 'bad_text', message, hint: 'take it out; it cannot be stored', ...placeOf(bad.path) });
    return null;
  }
  const { data: shape, error } = workflowShape.safeParse(data);
  for (const issue of error?.issues ?? []) report(issue, [], data, errors);
  const written = shape?.nodes ?? fieldOf(data, 'nodes');
  const nodes = isRecord(written) ? parseNodes(written, errors) : null;
  const connections = parseEdges(shape?.connections ?? [], errors);
  return shape && errors.none ? { ...shape, nodes, connections } : null;
}

/** The schema is asked only where an edge is wrong: it takes ten times as long to find that all are right. */
function parseEdges(written: unknown[], errors: Problems): Edge[] {
  for (const [at, value] of written.entries()) {
    if (isEdge(value)) continue;
    if (errors.stopWhenFull()) break;
    const { error } = connection.safeParse(value);
    for (const issue of error?.issues ?? []) report(issue, ['connections', String(at)], value, errors);
  }
  return written as Edge[];
}

const isEdge = (value: unknown): value is Edge =>
  isRecord(value) && isEndpoint(value['source']) && isEndpoint(value['destination']);

const isEndpoint = (value: unknown): boolean =>
  isRecord(value) && typeof value['id'] === 'string' && value['id'] !== '';

/** One by one: a version can hold a million wrong things, and their list alone would take all memory there is. */
function parseNodes(written: Record<string, unknown>, errors: Problems): Record<string, WorkflowNode> {
  const nodes: [string, WorkflowNode][] = [];
  for (const [name, value] of Object.entries(written)) {
    if (errors.stopWhenFull()) break;
    if (!checkWidth(name, value, errors)) continue;
    const { data, error } = workflowNode.safeParse(value);
    if (data) nodes.push([name, data]);
    for (const issue of error?.issues ?? []) report(issue, ['nodes', name], value, errors);
  }
  return Object.fromEntries(nodes);
}

/** Before the entries are looked at. */
function checkWidth(name: string, node: unknown, errors: Problems): boolean {
  const [container, script] = [fieldOf(node, 'container'), fieldOf(node, 'script')];
  const groups: [string, unknown][] = [
    ['inputs', fieldOf(node, 'inputs')],
    ['outputs', fieldOf(node, 'outputs')],
    ['container.environment', fieldOf(container, 'environment')],
    ['script.environment', fieldOf(script, 'environment')],
  ];
  const wide = groups.filter(([, group]) => countKeys(group) > MAX_ENTRIES);
  for (const [key, group] of wide) {
    const path = `nodes.${name}.${key}`;
    const message = `${path} holds ${countKeys(group)} entries; ${MAX_ENTRIES} are allowed`;
    errors.add({ code: 'too_large', message, node: name, path, hint: 'hand over many values in a file' });
  }
  return wide.length === 0;
}

function report(issue: z.core.$ZodIssue, within: string[], value: unknown, errors: Problems): void {
  const keys = [...within, ...issue.path.map(String)];
  const message = `${keys.join('.') || 'the workflow'}: ${issue.message}`;
  errors.add({ code: 'malformed', message, ...placeOf(keys) }, () => hintFor(issue, value));
}

/** Where one of few words is expected, the one that was meant; else what is expected is in the message already. */
function hintFor(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code !== 'invalid_value') return undefined;
  const written = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  const known = issue.values.map(String);
  if (written === undefined) return known.length > 1 ? `set it to one of ${known.join(', ')}` : undefined;
  return typeof written === 'string' ? suggestName(written, known) : undefined;
}

/** The node and the port that a path leads to or into. */
function placeOf(keys: string[]): Pick<Problem, 'node' | 'port' | 'path'> {
  const [group, node, list, port] = keys;
  const path = keys.join('.');
  if ((group !== 'nodes' && group !== 'primitiveNodes') || node === undefined) return { path };
  return { path, node, ...((list === 'inputs' || list === 'outputs') && port !== undefined ? { port } : {}) };
}
