import { type ErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { analyseWorkflow } from '@millrace/graph/check/analyse-workflow';
import type { ProblemCode } from '@millrace/graph/check/problem';
import { toNode } from '@millrace/library/to-node';
import { newId } from '@millrace/persistence/ids';
import type { ModuleInput } from './read-module.js';

/** Problems that the user of a node fixes, not the module's author. */
const USER_PROBLEMS: readonly ProblemCode[] = ['missing_input', 'more_problems'];

/** Refuses a tool or script that could not run in any node. @throws ValidationError */
export function refuseBrokenModule({ name = 'module', type, definition, field }: ModuleInput): void {
  if (type === 'MODULE') return;
  const node = toNode({ ...definition, id: newId(), name, type });
  const { errors } = analyseWorkflow({ nodes: { [node.name]: node } }, {}, null);
  const broken = errors.list().filter(({ code }) => !USER_PROBLEMS.includes(code));
  if (broken.length === 0) return;
  const details: ErrorDetails = {};
  for (const problem of broken) details[field(problem)] ??= problem.message;
  throw new ValidationError({ ...details, errors: broken }, 'The module is not valid.');
}
