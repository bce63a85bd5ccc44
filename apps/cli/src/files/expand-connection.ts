const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Converts a connection to the form of a version, so that the connections of a file and of a version can be compared. The server
 * does the same with a file that it saves. The short form is `{from: count/file, to: merge/folder}`, in which the prefixes
 * `output/` and `input/` are optional. Any other value stays as it is.
 */
export function expandConnection(connection: unknown): unknown {
  if (!isRecord(connection)) return connection;
  const { from, to, source, destination, ...rest } = connection;
  if (typeof from === 'string' && typeof to === 'string')
    return { ...rest, source: { id: addPrefix('output/', from) }, destination: { id: addPrefix('input/', to) } };
  return { ...connection, ...toEnd('source', source), ...toEnd('destination', destination) };
}

const addPrefix = (prefix: string, id: string): string => (id.startsWith(prefix) ? id : prefix + id);

const toEnd = (side: 'source' | 'destination', end: unknown) =>
  typeof end === 'string' ? { [side]: { id: end } } : {};
