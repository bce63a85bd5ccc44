import type { Problem } from '../describe-problem.js';
import type { Position, YamlPositions } from './yaml-positions.js';

/** Finds where a problem of a workflow is in its file. @param prefix the key of the file that contains the workflow */
export function locateProblem(
  positions: YamlPositions,
  prefix: 'data' | 'workflow',
  { path, node, port }: Pick<Problem, 'path' | 'node' | 'port'>,
): Position | null {
  if (path !== undefined) {
    const found = positions.findJoined([prefix], path.replace(/^data\./, ''));
    if (found) return found;
  }
  if (node === undefined) return null;
  const place = ['nodes', 'primitiveNodes'].map((group) => [prefix, group, node]).find((keys) => positions.has(keys));
  if (place === undefined) return locateInConnections(positions, prefix, node, port);
  if (port === undefined) return positions.find(place);
  const input = ['inputs', 'outputs'].map((group) => [...place, group, port]).find((keys) => positions.has(keys));
  if (input !== undefined) return positions.find(input);
  return locateInConnections(positions, prefix, node, port) ?? positions.find(place);
}

function locateInConnections(
  positions: YamlPositions,
  prefix: string,
  node: string,
  port: string | undefined,
): Position | null {
  return positions.findText([prefix, 'connections'], (text) => {
    const end = text.replace(/^(input|output)\//, '');
    return port === undefined ? end.startsWith(`${node}/`) : end === `${node}/${port}`;
  });
}
