import { ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Problem, ProblemCode } from '@millrace/graph/check/problem';
import { readGroup } from '../versions/read-group.js';

/**
 * What a draft may still lack: more work can mend it without taking anything back, or it is for the module's authors to
 * mend. A run refuses it. `more_problems` only counts what others have named.
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
 * Lets a draft pass that is unfinished, and refuses what can never run: cycles, unknown ports, types that do not match.
 * @param former modules that the workflow named already: one that has gone since must not keep anybody from their work
 * @throws ValidationError that names each problem by its place in the body, and lists them all as `errors`
 */
export function refuseBrokenData(data: unknown, errors: readonly Problem[], former: readonly string[] = []): void {
  const unknown = errors.filter((problem) => isAllowedUnknownModule(data, problem, former)).map(({ node }) => node);
  const mayStay = ({ code, node }: Problem) =>
    ALLOWED_IN_DRAFTS.includes(code) || (UNKNOWN_MODULE_CODES.includes(code) && unknown.includes(node));
  const broken = errors.filter((problem) => !mayStay(problem));
  if (broken.length === 0) return;
  const details: ErrorDetails = {};
  for (const problem of broken) details[placeOf(data, problem)] ??= problem.message;
  throw new ValidationError({ ...details, errors: broken }, 'The workflow is not valid');
}

/** What there is to say of a module that is not there, and of the edges of its node. */
const UNKNOWN_MODULE_CODES: readonly ProblemCode[] = ['unknown_module', 'unknown_port', 'unknown_param'];

/** A module node that was put down, but not told yet what it wraps, or that wraps what has gone. */
function isAllowedUnknownModule(data: unknown, { code, node }: Problem, former: readonly string[]): boolean {
  if (code !== 'unknown_module' || node === undefined) return false;
  const found = readGroup(data, 'nodes')[node];
  if (typeof found !== 'object' || found === null) return false;
  const key = 'workflow' in found ? found.workflow : undefined;
  return !key || (typeof key === 'string' && former.includes(key));
}

function placeOf(data: unknown, { path, node, port }: Problem): string {
  if (path !== undefined) return `body.data.${path}`;
  if (node === undefined) return 'body.data';
  const group = Object.hasOwn(readGroup(data, 'primitiveNodes'), node) ? 'primitiveNodes' : 'nodes';
  return ['body.data', group, node, port].filter((part) => part !== undefined).join('.');
}
