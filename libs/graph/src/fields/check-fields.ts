import { type z } from 'zod';
import { countKeys } from '../check/check-size.js';
import { type Problems } from '../check/problem.js';
import { fieldOf, isRecord } from '../data/is-record.js';
import {
  connection,
  distribution,
  MAX_ENTRIES,
  nodeInput,
  nodeOutput,
  primitiveNode,
  workflowNode,
  workflowShape,
} from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { editDistance } from '../names/suggest-name.js';
import { instead, type RecordKind, type Suggestion } from './field-synonyms.js';

const SHAPES = {
  data: workflowShape,
  node: workflowNode,
  meta: workflowNode.shape.meta.unwrap().unwrap(),
  container: workflowNode.shape.container.unwrap().unwrap(),
  script: workflowNode.shape.script.unwrap().unwrap(),
  distribution,
  input: nodeInput,
  output: nodeOutput,
  primitive: primitiveNode,
  edge: connection,
} satisfies Record<RecordKind, z.ZodObject>;

/** Fields that editors keep and that mean nothing to a run. */
const EDITORS_FIELDS: Partial<Record<RecordKind, readonly string[]>> = {
  data: ['notes'],
  node: ['workerConnected'],
  meta: ['coordinates', 'labels'],
};

/**
 * Records in which editors keep much of their own: a field is a slip only if it holds something and the field in whose
 * place it stands holds nothing.
 */
const EDITORS_RECORDS: readonly RecordKind[] = ['data', 'meta'];

interface Fields {
  own: string[];
  known: ReadonlySet<string>;
}

function fieldsOf(kind: RecordKind): Fields {
  const own = Object.keys(SHAPES[kind].shape);
  return { own, known: new Set([...own, ...(EDITORS_FIELDS[kind] ?? [])]) };
}

const FIELDS: Record<RecordKind, Fields> = {
  data: fieldsOf('data'),
  node: fieldsOf('node'),
  meta: fieldsOf('meta'),
  container: fieldsOf('container'),
  script: fieldsOf('script'),
  distribution: fieldsOf('distribution'),
  input: fieldsOf('input'),
  output: fieldsOf('output'),
  primitive: fieldsOf('primitive'),
  edge: fieldsOf('edge'),
};

/** Most fields that one record is checked for; a record of a million fields is nobody's slip. */
const MAX_FIELDS = 200;
/** Slips in a name of six letters or more; a shorter one with two slips is another word. */
const MAX_SLIPS = 2;
const SHORT_NAME = 5;

/**
 * Warns of fields that look like a known one but are not: misspelt (`scrpt`), or named as other tools name them (`retry`).
 * Other unknown fields are let through, and kept. Takes any data.
 */
export function checkFields(data: unknown, warnings: Problems): void {
  checkRecord('data', data, '', null, warnings);
  for (const [name, node] of entriesOf(fieldOf(data, 'nodes'))) {
    if (warnings.stopWhenFull()) return;
    checkNodeFields(name, node, warnings);
  }
  for (const [id, primitive] of entriesOf(fieldOf(data, 'primitiveNodes'))) {
    if (warnings.stopWhenFull()) return;
    checkRecord('primitive', primitive, `primitiveNodes.${id}`, id, warnings);
  }
  const edges = fieldOf(data, 'connections');
  for (const [at, edge] of Array.isArray(edges) ? edges.entries() : []) {
    if (warnings.stopWhenFull()) return;
    checkRecord('edge', edge, `connections.${at}`, null, warnings);
  }
}

function checkNodeFields(name: string, node: unknown, warnings: Problems): void {
  const path = `nodes.${name}`;
  checkRecord('node', node, path, name, warnings);
  for (const kind of ['meta', 'container', 'script', 'distribution'] as const) {
    checkRecord(kind, fieldOf(node, kind), `${path}.${kind}`, name, warnings);
  }
  for (const [port, input] of entriesOf(fieldOf(node, 'inputs'))) {
    if (warnings.stopWhenFull()) return;
    checkRecord('input', input, `${path}.inputs.${port}`, name, warnings);
  }
  for (const [port, output] of entriesOf(fieldOf(node, 'outputs'))) {
    if (warnings.stopWhenFull()) return;
    checkRecord('output', output, `${path}.outputs.${port}`, name, warnings);
  }
}

function checkRecord(kind: RecordKind, record: unknown, path: string, node: string | null, warnings: Problems): void {
  if (!isRecord(record)) return;
  const { own, known } = FIELDS[kind];
  const unknown = Object.keys(record)
    .slice(0, MAX_FIELDS)
    .filter((field) => !known.has(field));
  if (unknown.length === 0) return;
  const unset = own.filter((field) => isEmpty(record[field]));
  const isKept = (field: string, meant = ''): boolean =>
    EDITORS_RECORDS.includes(kind) && (isEmpty(record[field]) || (known.has(meant) && !unset.includes(meant)));
  for (const field of unknown) {
    const suggestion = instead(kind, field, own) ?? nearField(field, unset);
    if (suggestion === undefined || isKept(field, suggestion.field)) continue;
    const message = `${nameRecord(path)} has a field ${showName(field)}, which has no effect`;
    const at = node === null ? {} : { node };
    const place = path === '' ? field : `${path}.${field}`;
    warnings.add({ code: 'unknown_field', message, path: place, hint: suggestion.hint, ...at });
  }
}

function nameRecord(path: string): string {
  if (path === '') return 'the workflow';
  const dot = path.indexOf('.');
  return `${path.slice(0, dot)} ${showName(path.slice(dot + 1))}`;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** @param unset fields of the record that hold nothing; one that is set already was not meant */
function nearField(field: string, unset: readonly string[]): Suggestion | undefined {
  const limit = field.length <= SHORT_NAME ? 1 : MAX_SLIPS;
  const lower = field.toLowerCase();
  const near = unset
    .filter((known) => Math.abs(known.length - field.length) <= limit)
    .map((known) => ({ known, distance: editDistance(lower, known.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)[0];
  return near === undefined ? undefined : { hint: `did you mean "${near.known}"?`, field: near.known };
}

/** None of a group that is refused for its size (`parseWorkflow`): walking a million inputs takes seconds. */
const entriesOf = (value: unknown): [string, unknown][] =>
  isRecord(value) && countKeys(value) <= MAX_ENTRIES ? Object.entries(value) : [];
