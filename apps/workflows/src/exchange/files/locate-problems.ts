import type { z } from 'zod';
import type { fileProblem } from '@millrace/contracts/workflows/workflow-files';
import type { Problem } from '@millrace/graph/check/problem';
import { isRecord } from '@millrace/graph/data/is-record';
import { readGroup } from '../../versions/diff/diff-records.js';
import type { YamlThreads } from '../yaml/yaml-threads.js';

export type FileProblem = z.input<typeof fileProblem>;

/**
 * Adds to each problem its line and column in the text of the file.
 * @param data the data in that file
 */
export async function locateProblems(
  threads: Pick<YamlThreads, 'locate'>,
  { yaml, data }: { yaml: string; data: unknown },
  problems: readonly Problem[],
): Promise<FileProblem[]> {
  if (problems.length === 0) return [];
  const candidates = problems.map((problem) => listPaths(problem, data));
  const places = await threads.locate(yaml, candidates.flat());
  return problems.map((problem, index) => {
    const own = places.splice(0, candidates[index]?.length);
    return { ...problem, ...own.find((place) => place !== null) };
  });
}

/** Where a problem may be in the data: at its path, in its node or input of the workflow, or in a connection that names it. */
function listPaths({ path, node, port }: Problem, data: unknown): string[] {
  if (path !== undefined) return [path];
  if (node === undefined) return [];
  // The nodes of a module are in another file; the node that wraps it is named first.
  const [outer = node] = node.split('/');
  const group = GROUPS.find((name) => Object.hasOwn(readGroup(data, name), outer));
  if (group !== undefined) return [`${group}.${outer}${port === undefined || outer !== node ? '' : `.inputs.${port}`}`];
  const connections = isRecord(data) && Array.isArray(data['connections']) ? (data['connections'] as unknown[]) : [];
  const index = connections.findIndex((connection) => names(connection, outer));
  return index < 0 ? [] : [`connections.${index}`];
}

const GROUPS = ['nodes', 'primitiveNodes'] as const;

/** Whether an end of a connection is a port of the node, as in `input/sort-1/file`. */
const names = (connection: unknown, node: string): boolean =>
  isRecord(connection) &&
  [connection['source'], connection['destination']].some(
    (end) => isRecord(end) && typeof end['id'] === 'string' && end['id'].split('/')[1] === node,
  );
