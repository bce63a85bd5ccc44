/** A problem that the server found when it validated a workflow or a file. */
export interface Problem {
  code: string;
  message: string;
  node?: string | undefined;
  port?: string | undefined;
  path?: string | undefined;
  hint?: string | undefined;
  /** Of a file: where in its data, and where in its text. */
  field?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
}

/** Describes a problem in one line: its position in a file, node and field, the error, and the hint. */
export function describeProblem({ line, column, ...problem }: Problem): string {
  const text = describeInText(problem);
  return line === undefined ? text : `line ${line}, column ${column ?? 1}: ${text}`;
}

function describeInText({ message, node, port, path, hint, field: fieldOfFile }: Problem): string {
  const field = shortenPath(path, node) ?? port ?? (fieldOfFile || undefined);
  const place = [node === undefined ? [] : `node "${node}"`, field === undefined ? [] : `field "${field}"`].flat();
  const text = place.length === 0 ? message : `${place.join(', ')}: ${message}`;
  return hint === undefined ? text : `${text} (${hint})`;
}

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';

/** Removes the node from a path, because the description already names it: `nodes.sort-1.retries` becomes `retries`. */
function shortenPath(path: string | undefined, node: string | undefined): string | undefined {
  if (path === undefined || node === undefined) return path;
  const start = ['nodes', 'primitiveNodes'].map((group) => `${group}.${node}`).find((place) => path.startsWith(place));
  if (start === undefined) return path;
  const rest = path.slice(start.length).replace(/^\./, '');
  return rest === '' ? undefined : rest;
}
