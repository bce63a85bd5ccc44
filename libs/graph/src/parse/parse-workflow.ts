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
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { cutText, describeIssue, readPath } from './describe-issue.js';
import { findBadText } from './find-bad-text.js';

/** Parses a version's data. Returns null and adds to `errors` if it does not have the shape of a workflow. Takes any value. */
export function parseWorkflow(data: unknown, errors: Problems): WorkflowData | null {
  if (!checkSize(data, errors)) return null;
  const badText = findBadText(data);
  if (badText !== null) {
    const message = `${nameField(badText.path)} contains ${badText.problem}, which cannot be stored.`;
    errors.add({ code: 'bad_text', message, hint: 'Remove it.', ...placeOf(badText.path) });
    return null;
  }
  const { data: shape, error } = workflowShape.safeParse(data);
  for (const issue of error?.issues ?? []) report(issue, [], data, errors);
  const written = shape?.nodes ?? fieldOf(data, 'nodes');
  const nodes = isRecord(written) ? parseNodes(written, errors) : null;
  const connections = parseEdges(shape?.connections ?? [], errors);
  return shape && errors.isEmpty ? { ...shape, nodes, connections } : null;
}

/** Runs the schema on invalid edges only, because it takes ten times as long for the valid ones. */
function parseEdges(written: unknown[], errors: Problems): Edge[] {
  for (const [at, value] of written.entries()) {
    if (isEdge(value)) continue;
    if (errors.shouldStop()) break;
    const { error } = connection.safeParse(value);
    for (const issue of error?.issues ?? []) report(issue, ['connections', String(at)], value, errors);
  }
  return written as Edge[];
}

const isEdge = (value: unknown): value is Edge =>
  isRecord(value) && isEndpoint(value['source']) && isEndpoint(value['destination']);

const isEndpoint = (value: unknown): boolean =>
  isRecord(value) && typeof value['id'] === 'string' && value['id'] !== '';

/** Parses nodes individually, because a version can have a million errors, whose list would not fit in memory. */
function parseNodes(written: Record<string, unknown>, errors: Problems): Record<string, WorkflowNode> {
  const nodes: [string, WorkflowNode][] = [];
  for (const [name, value] of Object.entries(written)) {
    if (errors.shouldStop()) break;
    if (!checkWidth(name, value, errors)) continue;
    const { data, error } = workflowNode.safeParse(value);
    if (data) nodes.push([name, data]);
    for (const issue of error?.issues ?? []) report(issue, ['nodes', name], value, errors);
  }
  return Object.fromEntries(nodes);
}

/** Counts a node's entries before anything reads them. */
function checkWidth(name: string, node: unknown, errors: Problems): boolean {
  const [container, script] = [fieldOf(node, 'container'), fieldOf(node, 'script')];
  const groups: [string, unknown][] = [
    ['inputs', fieldOf(node, 'inputs')],
    ['outputs', fieldOf(node, 'outputs')],
    ['container.environment', fieldOf(container, 'environment')],
    ['script.environment', fieldOf(script, 'environment')],
  ];
  const oversized = groups.filter(([, group]) => countKeys(group) > MAX_ENTRIES);
  for (const [key, group] of oversized) {
    const path = `nodes.${name}.${key}`;
    const message = `\`${key}\` of node ${showName(name)} has ${countKeys(group)} entries; at most ${MAX_ENTRIES} are allowed.`;
    errors.add({ code: 'too_large', message, node: name, path, hint: 'Pass many values in a file.' });
  }
  return oversized.length === 0;
}

function report(issue: z.core.$ZodIssue, within: string[], value: unknown, errors: Problems): void {
  const keys = [...within, ...issue.path.map(String)];
  const message = `${nameField(keys)} ${describeIssue(issue, value)}.`;
  errors.add({ code: 'malformed', message, ...placeOf(keys) }, () => suggestValue(issue, value));
}

const nameField = (keys: string[]): string => (keys.length === 0 ? 'The workflow' : `\`${cutText(keys.join('.'))}\``);

/** Suggests the accepted value that is nearest to the written one, if few values are accepted. */
function suggestValue(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code !== 'invalid_value') return undefined;
  const written = readPath(value, issue.path);
  const accepted = issue.values.map(String);
  if (written === undefined) return `Set it to one of ${accepted.join(', ')}.`;
  return typeof written === 'string' ? suggestName(written, accepted) : undefined;
}

/** Returns the node and the port that a path leads into. */
function placeOf(keys: string[]): Pick<Problem, 'node' | 'port' | 'path'> {
  const [group, node, list, port] = keys;
  const path = keys.join('.');
  if ((group !== 'nodes' && group !== 'primitiveNodes') || node === undefined) return { path };
  return { path, node, ...((list === 'inputs' || list === 'outputs') && port !== undefined ? { port } : {}) };
}
