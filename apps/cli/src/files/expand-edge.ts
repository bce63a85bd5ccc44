import type { WrittenEdge } from './workflow-file.js';

export interface Edge {
  [key: string]: unknown;
  source: { id: string };
  destination: { id: string };
}

/**
 * The edge as the server knows it. By hand it is shorter as `{from: count/file, to: merge/folder}`: the `output/` and
 * `input/` that every id begins with may be left out there.
 */
export function expandEdge(edge: WrittenEdge): Edge {
  if ('from' in edge && typeof edge.from === 'string' && 'to' in edge && typeof edge.to === 'string') {
    return { source: { id: prefixed('output/', edge.from) }, destination: { id: prefixed('input/', edge.to) } };
  }
  const { source, destination, ...rest } = edge as Extract<WrittenEdge, { source: unknown }>;
  return { ...rest, source: toEndpoint(source), destination: toEndpoint(destination) };
}

const prefixed = (prefix: string, id: string): string => (id.startsWith(prefix) ? id : prefix + id);

const toEndpoint = (end: string | { id: string }): { id: string } => (typeof end === 'string' ? { id: end } : end);
