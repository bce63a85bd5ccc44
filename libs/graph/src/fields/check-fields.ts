import { type z } from 'zod';
import { countKeys } from '../check/check-size.js';
import { type Problems } from '../check/problem.js';
import { fieldOf, isRecord } from '../data/is-record.js';
import {
  connection,
  approval,
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
import { findSynonym, type RecordKind, type Suggestion } from './field-synonyms.js';

const SHAPES = {
  data: workflowShape,
  node: workflowNode,
  meta: workflowNode.shape.meta.unwrap().unwrap(),
  container: workflowNode.shape.container.unwrap().unwrap(),
  script: workflowNode.shape.script.unwrap().unwrap(),
  distribution,
  approval,
  input: nodeInput,
  output: nodeOutput,
  primitive: primitiveNode,
  edge: connection,
} satisfies Record<RecordKind, z.ZodObject>;

/** Fields that editors store and that a run ignores. */
const EDITOR_FIELDS: Partial<Record<RecordKind, readonly string[]>> = {
  data: ['notes'],
  node: ['workerConnected'],
  meta: ['coordinates', 'labels'],
};

/**
 * Records in which editors store many fields of their own. Here an unknown field is reported only if it has a value and
 * the field that was probably meant has none.
 */
const EDITOR_RECORDS: readonly RecordKind[] = ['data', 'meta'];

interface Fields {
  own: string[];
  known: ReadonlySet<string>;
}

function fieldsOf(kind: RecordKind): Fields {
  const own = Object.keys(SHAPES[kind].shape);
  return { own, known: new Set([...own, ...(EDITOR_FIELDS[kind] ?? [])]) };
}

const FIELDS: Record<RecordKind, Fields> = {
  data: fieldsOf('data'),
  node: fieldsOf('node'),
  meta: fieldsOf('meta'),
  container: fieldsOf('container'),
  script: fieldsOf('script'),
  distribution: fieldsOf('distribution'),
  approval: fieldsOf('approval'),
  input: fieldsOf('input'),
  output: fieldsOf('output'),
  primitive: fieldsOf('primitive'),
  edge: fieldsOf('edge'),
};

/** Fields of one record that are checked. A record with a million fields is not a typing error. */
const MAX_FIELDS = 200;
/** Edits in a name of six letters or more. In a shorter name, two edits make another word. */
const MAX_EDITS = 2;
const MAX_SHORT_NAME_LENGTH = 5;

/**
 * Warns of fields that resemble a known field: misspelt ones (`scrpt`), and names that other tools use (`retry`).
 * Other unknown fields are accepted and stored. Takes any data.
 */
export function checkFields(data: unknown, warnings: Problems): void {
  checkRecord('data', data, '', null, warnings);
  for (const [name, node] of entriesOf(fieldOf(data, 'nodes'))) {
    if (warnings.shouldStop()) return;
    checkNodeFields(name, node, warnings);
  }
  for (const [id, primitive] of entriesOf(fieldOf(data, 'primitiveNodes'))) {
    if (warnings.shouldStop()) return;
    checkRecord('primitive', primitive, `primitiveNodes.${id}`, id, warnings);
  }
  const edges = fieldOf(data, 'connections');
  for (const [at, edge] of Array.isArray(edges) ? edges.entries() : []) {
    if (warnings.shouldStop()) return;
    checkRecord('edge', edge, `connections.${at}`, null, warnings);
  }
}

function checkNodeFields(name: string, node: unknown, warnings: Problems): void {
  const path = `nodes.${name}`;
  checkRecord('node', node, path, name, warnings);
  for (const kind of ['meta', 'container', 'script', 'distribution', 'approval'] as const) {
    checkRecord(kind, fieldOf(node, kind), `${path}.${kind}`, name, warnings);
  }
  for (const [port, input] of entriesOf(fieldOf(node, 'inputs'))) {
    if (warnings.shouldStop()) return;
    checkRecord('input', input, `${path}.inputs.${port}`, name, warnings);
  }
  for (const [port, output] of entriesOf(fieldOf(node, 'outputs'))) {
    if (warnings.shouldStop()) return;
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
  const isEditorField = (field: string, meant = ''): boolean =>
    EDITOR_RECORDS.includes(kind) && (isEmpty(record[field]) || (known.has(meant) && !unset.includes(meant)));
  for (const field of unknown) {
    const suggestion = findSynonym(kind, field) ?? suggestField(field, unset);
    if (suggestion === undefined || isEditorField(field, suggestion.field)) continue;
    const message = `${nameRecord(path, node)} has the unknown field ${showName(field)}, which has no effect.`;
    const at = node === null ? {} : { node };
    const place = path === '' ? field : `${path}.${field}`;
    warnings.add({ code: 'unknown_field', message, path: place, hint: suggestion.hint, ...at });
  }
}

/** Names a record at the start of a message: `Node "sort-1"`, `` `inputs.file` of node "sort-1" ``, `` `connections.3` ``. */
function nameRecord(path: string, node: string | null): string {
  if (path === '') return 'The workflow';
  if (node === null) return `\`${path}\``;
  const [group = ''] = path.split('.', 1);
  if (group === 'primitiveNodes') return `Input ${showName(node)}`;
  const inner = path.slice(`${group}.${node}.`.length);
  return inner === '' ? `Node ${showName(node)}` : `\`${cutPath(inner)}\` of node ${showName(node)}`;
}

const cutPath = (path: string): string => (path.length > 80 ? `${path.slice(0, 80).toWellFormed()}…` : path);

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** @param unset fields of the record without a value; a field with a value cannot be the one that was meant */
function suggestField(field: string, unset: readonly string[]): Suggestion | undefined {
  const limit = field.length <= MAX_SHORT_NAME_LENGTH ? 1 : MAX_EDITS;
  const lower = field.toLowerCase();
  const nearest = unset
    .filter((known) => Math.abs(known.length - field.length) <= limit)
    .map((known) => ({ known, distance: editDistance(lower, known.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)[0];
  return nearest === undefined ? undefined : { hint: `Did you mean "${nearest.known}"?`, field: nearest.known };
}

/** Empty for a group that `parseWorkflow` rejects for its size, because a million inputs take seconds to check. */
const entriesOf = (value: unknown): [string, unknown][] =>
  isRecord(value) && countKeys(value) <= MAX_ENTRIES ? Object.entries(value) : [];
