import type { VersionDiff } from '@millrace/client';
import { toCell } from './print-records.js';

type Changes = VersionDiff['nodes'];
type Field = Changes['changed'][number]['fields'][number];

const MAX_VALUE_LENGTH = 60;

/** Formats the difference of two versions: `+` was added, `-` removed, `~` changed, with the fields that differ. */
export function formatVersionDiff(diff: VersionDiff): string {
  const { nodes, inputs, outputs, annotations, edges, other } = diff;
  const lines = [
    ...formatChanges('node', nodes),
    ...formatChanges('input', inputs),
    ...formatChanges('output', outputs),
    ...formatChanges('annotation', annotations),
    ...edges.added.map((edge) => `+ connection ${nameOfEdge(edge)}`),
    ...edges.removed.map((edge) => `- connection ${nameOfEdge(edge)}`),
    ...edges.changed.flatMap(({ source, destination, fields }) => [
      `~ connection ${toCell(source)} → ${toCell(destination)}`,
      ...fields.map(formatField),
    ]),
    ...other.map((field) => `~ ${formatField(field).trim()}`),
  ];
  return lines.length === 0 ? 'The versions are the same.\n' : `${lines.join('\n')}\n`;
}

function formatChanges(kind: string, { added, removed, changed }: Changes): string[] {
  return [
    ...added.map((name) => `+ ${kind} ${toCell(name)}`),
    ...removed.map((name) => `- ${kind} ${toCell(name)}`),
    ...changed.flatMap(({ name, fields }) => [`~ ${kind} ${toCell(name)}`, ...fields.map(formatField)]),
  ];
}

function formatField(field: Field): string {
  const path = toCell(field.path) || '(all)';
  if (!('before' in field)) return `    ${path}: added ${shorten(field.after)}`;
  if (!('after' in field)) return `    ${path}: removed ${shorten(field.before)}`;
  return `    ${path}: ${shorten(field.before)} → ${shorten(field.after)}`;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}

const nameOfEdge = ({ source, destination }: { source: { id: string }; destination: { id: string } }): string =>
  `${toCell(source.id)} → ${toCell(destination.id)}`;
