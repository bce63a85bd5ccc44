import { isRecord } from '@millrace/graph/data/is-record';

const [OUTPUT, INPUT] = ['output/', 'input/'] as const;

/** Writes each connection that has two ends and nothing else as `{from: a-1/file, to: b-1/file}`. */
export function compactConnections(data: Record<string, unknown>): Record<string, unknown> {
  const { connections } = data;
  return Array.isArray(connections) ? { ...data, connections: connections.map(compactConnection) } : data;
}

/** Converts connections of a file to the form of a version. Their ends may be texts, and the prefixes are optional. */
export function expandConnections(data: unknown): unknown {
  if (!isRecord(data) || !Array.isArray(data['connections'])) return data;
  return { ...data, connections: data['connections'].map(expandConnection) };
}

function compactConnection(connection: unknown): unknown {
  const { source, destination, ...more } = isRecord(connection) ? connection : {};
  const [from, to] = [withoutPrefix(source, OUTPUT), withoutPrefix(destination, INPUT)];
  return from === null || to === null || Object.keys(more).length > 0 ? connection : { from, to };
}

/** @returns null if the end is not an id with the prefix alone, or if `expandConnection` would not restore it */
function withoutPrefix(end: unknown, prefix: string): string | null {
  const { id, ...more } = isRecord(end) ? end : {};
  if (typeof id !== 'string' || !id.startsWith(prefix) || Object.keys(more).length > 0) return null;
  const rest = id.slice(prefix.length);
  return rest.startsWith(prefix) || rest === '' ? null : rest;
}

function expandConnection(connection: unknown): unknown {
  if (!isRecord(connection)) return connection;
  const { from, to, ...rest } = connection;
  if (typeof from === 'string' && typeof to === 'string') {
    return { ...rest, source: { id: withPrefix(OUTPUT, from) }, destination: { id: withPrefix(INPUT, to) } };
  }
  const { source, destination } = connection;
  return {
    ...connection,
    ...(typeof source === 'string' && { source: { id: source } }),
    ...(typeof destination === 'string' && { destination: { id: destination } }),
  };
}

const withPrefix = (prefix: string, id: string): string => (id.startsWith(prefix) ? id : prefix + id);
