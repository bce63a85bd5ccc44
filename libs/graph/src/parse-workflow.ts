import { type z } from 'zod';
import { findBadText } from './find-bad-text.js';
import { type Problem, type Problems } from './problem.js';
import { suggestName } from './suggest-name.js';
import {
  MAX_EDGES,
  MAX_NODES,
  connection,
  primitiveNode,
  workflowNode,
  workflowShape,
  type WorkflowData,
} from './workflow-data.js';

const SPLIT_UP = 'put a part of it into a workflow of its own, and that into a node of type WORKFLOW';

/** Reads a version's data. Gives null, and says why, where its shape is not that of a workflow. Takes anything. */
export function parseWorkflow(data: unknown, errors: Problems): WorkflowData | null {
  if (!checkSize(data, errors)) return null;
  const bad = findBadText(data);
  if (bad !== null) {
    const message = `${bad.path.join('.') || '(top)'} holds ${bad.what}`;
    errors.add({ code: 'bad_text', message, hint: 'take it out; it cannot be stored', ...placeOf(bad.path) });
    return null;
  }
  const shape = workflowShape.safeParse(data);
  if (!shape.success) {
    for (const issue of shape.error.issues) report(issue, [], data, errors);
    return null;
  }
  const { nodes, primitiveNodes, connections, ...rest } = shape.data;
  const parsed = {
    ...rest,
    ...(nodes && { nodes: parseEach(nodes, workflowNode, 'nodes', errors) }),
    ...(primitiveNodes && { primitiveNodes: parseEach(primitiveNodes, primitiveNode, 'primitiveNodes', errors) }),
    ...(connections && { connections: Object.values(parseEach(connections, connection, 'connections', errors)) }),
  };
  return errors.none ? parsed : null;
}

/** One by one: a version can hold a million wrong things, and their list alone would take all memory there is. */
function parseEach<T>(
  written: Record<string, unknown> | unknown[],
  schema: z.ZodType<T>,
  key: string,
  errors: Problems,
): Record<string, T> {
  const parsed = new Map<string, T>();
  for (const name of Object.keys(written)) {
    const value: unknown = (written as Record<string, unknown>)[name];
    const one = schema.safeParse(value);
    if (one.success) parsed.set(name, one.data);
    else for (const issue of one.error.issues) report(issue, [key, name], value, errors);
    if (errors.stopWhenFull()) break;
  }
  return Object.fromEntries(parsed);
}

function report(issue: z.core.$ZodIssue, within: string[], value: unknown, errors: Problems): void {
  const keys = [...within, ...issue.path.map(String)];
  const path = keys.join('.');
  const message = `${path || 'the workflow'}: ${issue.message}`;
  errors.add({ code: 'malformed', message, ...placeOf(keys), path }, () => hintFor(issue, value));
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

/** Before anything else is looked at, so that what is too large is refused at once. */
function checkSize(data: unknown, errors: Problems): boolean {
  if (typeof data !== 'object' || data === null) return true;
  const { nodes, primitiveNodes, connections } = data as Record<'nodes' | 'primitiveNodes' | 'connections', unknown>;
  for (const [path, group] of Object.entries({ nodes, primitiveNodes })) {
    const count = countKeys(group);
    if (count <= MAX_NODES) continue;
    const message = `${count} ${path} are more than the ${MAX_NODES} allowed`;
    errors.add({ code: 'too_many_nodes', message, path, hint: SPLIT_UP });
  }
  const count = Array.isArray(connections) ? connections.length : 0;
  if (count > MAX_EDGES) {
    const message = `${count} connections are more than the ${MAX_EDGES} allowed`;
    errors.add({ code: 'too_many_edges', message, path: 'connections', hint: SPLIT_UP });
  }
  return errors.none;
}

const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
