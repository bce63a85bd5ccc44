import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import { findSizeProblems } from '@millrace/graph/check/check-size';
import type { Problem, ProblemCode } from '@millrace/graph/check/problem';
import { readGroup } from '../versions/diff/diff-records.js';

/**
 * Problems that a draft may have: the author can fix them by adding something, or only the module's authors can fix
 * them. A run refuses them. `more_problems` only counts problems of other codes.
 */
export const ALLOWED_IN_DRAFTS: readonly ProblemCode[] = [
  'missing_input',
  'tool_without_command',
  'script_without_source',
  'distribution_without_connection',
  'invalid_module',
  'more_problems',
];

/**
 * Accepts an unfinished draft and refuses data that can never run: cycles, unknown ports, types that do not match.
 * @param latestModules modules that the latest version names; if one was deleted since, its author can still save
 * @throws ValidationError that names each problem by its field in the body and lists them all as `errors`
 */
export function refuseBrokenData(
  data: unknown,
  errors: readonly Problem[],
  latestModules: readonly string[] = [],
): void {
  const unknown = errors
    .filter((problem) => isAllowedUnknownModule(data, problem, latestModules))
    .map(({ node }) => node);
  const isAllowed = ({ code, node }: Problem) =>
    ALLOWED_IN_DRAFTS.includes(code) || (UNKNOWN_MODULE_CODES.includes(code) && unknown.includes(node));
  const broken = errors.filter((problem) => !isAllowed(problem));
  if (broken.length === 0) return;
  const details: ErrorDetails = {};
  for (const problem of broken) details[fieldOf(data, problem)] ??= problem.message;
  throw new ValidationError({ ...details, errors: broken }, 'The workflow is not valid.');
}

/** Problems of a missing module and of the edges of its node. */
const UNKNOWN_MODULE_CODES: readonly ProblemCode[] = ['unknown_module', 'unknown_port', 'unknown_param'];

/** A module node that does not name a module yet, or whose module was deleted. */
function isAllowedUnknownModule(
  data: unknown,
  { code, node: name }: Problem,
  latestModules: readonly string[],
): boolean {
  if (code !== 'unknown_module' || name === undefined) return false;
  const node = readGroup(data, 'nodes')[name];
  if (typeof node !== 'object' || node === null) return false;
  const key = 'workflow' in node ? node.workflow : undefined;
  return !key || (typeof key === 'string' && latestModules.includes(key));
}

function fieldOf(data: unknown, { path, node, port }: Problem): string {
  if (path !== undefined) return `body.data.${path}`;
  if (node === undefined) return 'body.data';
  const group = Object.hasOwn(readGroup(data, 'primitiveNodes'), node) ? 'primitiveNodes' : 'nodes';
  return ['body.data', group, node, port].filter((part) => part !== undefined).join('.');
}

/**
 * Call it before the data is encoded: sorting the keys of a million nodes blocks the process for seconds.
 * @throws ValidationError
 */
export const refuseOversize = (data: unknown): void => refuseBrokenData(data, findSizeProblems(data));
