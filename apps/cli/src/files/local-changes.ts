import { isDeepStrictEqual } from 'node:util';
import { expandConnection } from './expand-connection.js';
import type { FileData } from './workflow-file.js';

type Data = Record<string, unknown>;
type Parts = Record<string, unknown>;

/** More fields would not make a line clearer. */
const MAX_SHOWN_FIELDS = 5;

/**
 * Lists what differs between a file and a version: `+ node sort-1`, `- node x`, `~ node y: script.source`. The server completes
 * nodes that name a library module by `uses`, so such a node may have less in the file.
 */
export function listLocalChanges(version: Data, file: FileData): string[] {
  const { nodes, primitiveNodes, connections, ...other } = file;
  const before = { nodes: {}, primitiveNodes: {}, connections: [], ...version } as Data & {
    nodes: Parts;
    primitiveNodes: Parts;
  };
  const { nodes: oldNodes, primitiveNodes: oldInputs, connections: oldConnections, ...oldOther } = before;
  return [
    ...compare('node', oldNodes, nodes),
    ...compare('input', oldInputs, primitiveNodes),
    ...(isDeepStrictEqual(oldConnections, connections.map(expandConnection)) ? [] : ['~ connections']),
    ...compare('field', oldOther, other),
  ];
}

function compare(kind: string, before: Parts, after: Parts): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    if (!Object.hasOwn(before, name)) return [`+ ${kind} ${name}`];
    if (!Object.hasOwn(after, name)) return [`- ${kind} ${name}`];
    if (isSame(before[name], after[name])) return [];
    const fields = listFields(before[name], after[name]);
    return [`~ ${kind} ${name}${fields === '' ? '' : `: ${fields}`}`];
  });
}

/** The paths of the fields in which two records differ. */
function listFields(before: unknown, after: unknown): string {
  const paths = findDifferences(before, after, '', isRecord(after) && after['uses'] !== undefined);
  const more = paths.length > MAX_SHOWN_FIELDS ? [`and ${paths.length - MAX_SHOWN_FIELDS} more`] : [];
  return [...paths.slice(0, MAX_SHOWN_FIELDS), ...more].join(', ');
}

/** @param isCompletion whether the server may have added fields that the file does not have */
function findDifferences(before: unknown, after: unknown, path: string, isCompletion: boolean): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isRecord(before)) return path === '' ? [] : [path];
  if (!isRecord(after)) return isCompletion && isDeepStrictEqual(before['value'], after) ? [] : [path];
  const keys = new Set([...(isCompletion ? [] : Object.keys(before)), ...Object.keys(after)]);
  const below = (key: string) => (path === '' ? key : `${path}.${key}`);
  return [...keys].flatMap((key) => findDifferences(before[key], after[key], below(key), isCompletion));
}

/** Whether a record of the file is the same as that of the server. */
export function isSame(stored: unknown, local: unknown): boolean {
  if (isDeepStrictEqual(stored, local)) return true;
  return isRecord(local) && isRecord(stored) && local['uses'] !== undefined && isCompleted(stored, local);
}

/** Whether the server may have completed the local node to the stored one. */
function isCompleted(stored: Parts, local: Parts): boolean {
  return Object.entries(local).every(([key, value]) => {
    const other = stored[key];
    if (isDeepStrictEqual(other, value)) return true;
    if (isRecord(value)) return isRecord(other) && isCompleted(other, value);
    // An input may be written as its value only.
    return isRecord(other) && isDeepStrictEqual(other['value'], value);
  });
}

const isRecord = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
