import type { z } from 'zod';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { fileProblem } from '@millrace/contracts/workflows/workflow-files';
import type { Problem, ProblemCode } from '@millrace/graph/check/problem';
import { fieldOf, isRecord } from '@millrace/graph/data/is-record';
import { readGroup } from '../../versions/diff/diff-records.js';
import type { FieldToLocate } from '../yaml/locate-fields.js';
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
  const ends = listEnds(data);
  const fields = problems.map((problem) => findField(problem, data, ends));
  const places = await threads.locate(
    yaml,
    fields.filter((field) => field !== null),
  );
  return problems.map((problem, index) => ({ ...problem, ...(fields[index] ? places.shift() : null) }));
}

/** Problems of a file have their place in the file, and not in the body of the request. Other errors stay as they are. */
export async function locateErrors(
  threads: Pick<YamlThreads, 'locate'>,
  file: { yaml: string; data: unknown },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ValidationError) || !Array.isArray(error.details?.['errors'])) return error;
  const errors = await locateProblems(threads, file, error.details['errors'] as Problem[]);
  return new ValidationError({ errors }, error.message);
}

/** Problems of a key; what the key has as its value does not matter. */
const KEY_CODES: ReadonlySet<ProblemCode> = new Set(['unknown_field', 'unused_field', 'unknown_input', 'unused_input']);

/** The field that is wrong, for problems that name the node or the input only. The first one that the file has counts. */
const WRONG_FIELDS: Partial<Record<ProblemCode, string[]>> = {
  bad_value: ['value'],
  name_mismatch: ['name'],
  unknown_module: ['workflow', 'uses'],
  invalid_module: ['workflow'],
  module_recursion: ['workflow'],
};

/** The field that a problem is about: at its path, in its node or input of the workflow, or an end of a connection. */
function findField(problem: Problem, data: unknown, ends: readonly End[]): FieldToLocate | null {
  const { code, path, position } = problem;
  const part = KEY_CODES.has(code) ? 'key' : 'value';
  if (path !== undefined) return { path, part, ...(position !== undefined && { position }) };
  const found = findEnd(problem, ends) ?? findInNode(problem, data) ?? findAnyEnd(problem, ends);
  return found === null ? null : { path: found, part };
}

function findInNode({ code, node, port }: Problem, data: unknown): string | null {
  // The nodes of a module are in another file; the node that wraps it is named first.
  const [outer] = node?.split('/') ?? [];
  const group = outer === undefined ? undefined : GROUPS.find((name) => Object.hasOwn(readGroup(data, name), outer));
  if (outer === undefined || group === undefined) return null;
  const [path, value] = [`${group}.${outer}`, readGroup(data, group)[outer]];
  if (outer !== node) return path;
  if (DISTRIBUTION_CODES.has(code) && isRecord(fieldOf(value, 'distribution'))) return `${path}.distribution.input`;
  if (port === undefined) return findWrong(code, path, value);
  const ports = PORTS.find((name) => Object.hasOwn(readGroup(value, name), port));
  return ports === undefined ? path : findWrong(code, `${path}.${ports}.${port}`, readGroup(value, ports)[port]);
}

const GROUPS = ['nodes', 'primitiveNodes'] as const;
const PORTS = ['inputs', 'outputs'] as const;
const DISTRIBUTION_CODES: ReadonlySet<ProblemCode> = new Set(['bad_distribution', 'distribution_without_connection']);

function findWrong(code: ProblemCode, path: string, value: unknown): string {
  const field = WRONG_FIELDS[code]?.find((name) => isRecord(value) && Object.hasOwn(value, name));
  return field === undefined ? path : `${path}.${field}`;
}

/** An end of a connection, such as `input/sort-1/file`. */
interface End {
  path: string;
  side: 'source' | 'destination';
  node: string;
  /** For a destination, the name of the source may follow. */
  port: string;
}

function listEnds(data: unknown): End[] {
  const connections = fieldOf(data, 'connections');
  if (!Array.isArray(connections)) return [];
  return connections.flatMap((connection, index) =>
    SIDES.flatMap((side) => {
      const id = fieldOf(fieldOf(connection, side), 'id');
      if (typeof id !== 'string') return [];
      const [, node = '', ...rest] = id.split('/');
      return [{ path: `connections.${index}.${side}.id`, side, node, port: rest.join('/') }];
    }),
  );
}

const SIDES = ['source', 'destination'] as const;

/** The side of a connection that a problem is about. */
const END_CODES: Partial<Record<ProblemCode, End['side']>> = {
  unknown_port: 'source',
  unknown_param: 'destination',
  bad_edge: 'destination',
  type_mismatch: 'destination',
};

function findEnd({ code, node, port }: Problem, ends: readonly End[]): string | null {
  const side = END_CODES[code];
  if (side === undefined || node === undefined) return null;
  const found = ends.filter((end) => end.side === side && end.node === node && hasPort(end, port));
  // All connections with the same unknown end are one problem. Of those to one input, only some have the wrong type.
  return code === 'type_mismatch' && found.length > 1 ? null : (found[0]?.path ?? null);
}

/** An end that names the node of a problem, for nodes that only a connection names. */
function findAnyEnd({ node, port }: Problem, ends: readonly End[]): string | null {
  const [outer] = node?.split('/') ?? [];
  return ends.find((end) => end.node === outer && hasPort(end, port))?.path ?? null;
}

const hasPort = (end: End, port: string | undefined): boolean =>
  port === undefined || end.port === port || end.port.startsWith(`${port}/`);
