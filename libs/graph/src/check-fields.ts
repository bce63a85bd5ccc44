import { type z } from 'zod';
import { showName } from './check-name.js';
import { countKeys } from './check-size.js';
import { instead, type RecordKind } from './field-synonyms.js';
import { fieldOf, isRecord } from './is-record.js';
import { type Problems } from './problem.js';
import { editDistance } from './suggest-name.js';
import {
  connection,
  distribution,
  MAX_ENTRIES,
  nodeInput,
  nodeOutput,
  primitiveNode,
  workflowNode,
} from './workflow-data.js';

const SHAPES = {
  node: workflowNode,
  container: workflowNode.shape.container.unwrap().unwrap(),
  script: workflowNode.shape.script.unwrap().unwrap(),
  distribution,
  input: nodeInput,
  output: nodeOutput,
  primitive: primitiveNode,
  edge: connection,
} satisfies Record<RecordKind, z.ZodObject>;

/** Fields that editors keep and that mean nothing to a run. */
const EDITORS_FIELDS: Partial<Record<RecordKind, readonly string[]>> = { node: ['workerConnected'] };

interface Fields {
  own: string[];
  known: ReadonlySet<string>;
}

function fieldsOf(kind: RecordKind): Fields {
  const own = Object.keys(SHAPES[kind].shape);
  return { own, known: new Set([...own, ...(EDITORS_FIELDS[kind] ?? [])]) };
}

const FIELDS: Record<RecordKind, Fields> = {
  node: fieldsOf('node'),
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
/** Slips in a name of five letters or more; a shorter one with two slips is another word. */
const MAX_SLIPS = 2;
const SHORT_NAME = 4;

/**
 * Warns of fields that look like a known one but are not: misspelt (`scrpt`), or named as other tools name them (`retry`).
 * Other unknown fields are let through, and kept. Takes any data.
 */
export function checkFields(data: unknown, warnings: Problems): void {
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
  for (const kind of ['container', 'script', 'distribution'] as const) {
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
  for (const field of Object.keys(record).slice(0, MAX_FIELDS)) {
    if (known.has(field)) continue;
    const hint = instead(kind, field, own) ?? nearField(field, own, record);
    if (hint === undefined) continue;
    const message = `${path.slice(0, path.indexOf('.'))} ${showName(path.slice(path.indexOf('.') + 1))} has a field ${showName(field)}, which has no effect`;
    const at = node === null ? {} : { node };
    warnings.add({ code: 'unknown_field', message, path: `${path}.${field}`, hint, ...at });
  }
}

/** A field that the record sets already was not what was meant. */
function nearField(field: string, own: readonly string[], record: Record<string, unknown>): string | undefined {
  const limit = field.length <= SHORT_NAME ? 1 : MAX_SLIPS;
  const lower = field.toLowerCase();
  const near = own
    .filter((known) => !Object.hasOwn(record, known) && Math.abs(known.length - field.length) <= limit)
    .map((known) => ({ known, distance: editDistance(lower, known, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)[0];
  return near === undefined ? undefined : `did you mean "${near.known}"?`;
}

/** None of a group that is refused for its size (`parseWorkflow`): walking a million inputs takes seconds. */
const entriesOf = (value: unknown): [string, unknown][] =>
  isRecord(value) && countKeys(value) <= MAX_ENTRIES ? Object.entries(value) : [];
