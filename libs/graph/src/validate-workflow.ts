import { analyseWorkflow } from './analyse-workflow.js';
import { type Problem } from './problem.js';
import { type Modules } from './workflow-data.js';

/**
 * Says what is wrong with a version's data. Takes anything and never throws. A workflow without errors compiles.
 *
 * `modules` holds, for each string that a WORKFLOW node's `workflow` field holds, what it wraps, resolved all the way
 * down. `workflow` is the id of the workflow that the data belongs to, so that a module which leads back to it is found.
 * Problems are in the order in which they were found; at most 200 of each kind are named, the rest counted.
 */
export function validateWorkflow(
  data: unknown,
  modules: Modules,
  workflow: string | null = null,
): { errors: Problem[]; warnings: Problem[] } {
  const { errors, warnings } = analyseWorkflow(data, modules, workflow);
  return { errors: errors.list(), warnings: warnings.list() };
}
