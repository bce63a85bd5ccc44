import { type Modules } from '../data/workflow-data.js';
import { checkFields } from '../fields/check-fields.js';
import { analyseWorkflow } from './analyse-workflow.js';
import { checkImages } from './check-images.js';
import { checkLibrary, type LibraryModules } from './check-library.js';
import { checkPins, type Pinning } from './check-pins.js';
import { checkReach } from './check-reach.js';
import { findOversize } from './check-size.js';
import { checkVariables } from './check-variables.js';
import { type Problem } from './problem.js';

/** What is known around a workflow; what is left out is not checked, but for modules, of which there are none then. */
export interface Surroundings {
  /** For each string that a WORKFLOW node's `workflow` field holds, what it wraps, resolved all the way down. */
  modules?: Modules;
  /** Whether to check that modules of other spaces are pinned. */
  pinning?: Pinning;
  /** Id of the workflow that the data belongs to, so that a module which leads back to it is found. */
  workflow?: string;
  /** Names of all variables that a run would have in its own space. */
  variables?: ReadonlySet<string>;
  /** Names of all variables that modules would have, by their space; those of a space that is missing are not checked. */
  moduleVariables?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of those in the library, at least all that the data names (`listLibraryModules`). */
  libraryModules?: LibraryModules;
}

/**
 * Says what is wrong with a version's data. Takes anything and never throws. A workflow without errors compiles.
 * Problems are in the order in which they were found; at most 200 of each kind are named, the rest counted.
 */
export function validateWorkflow(
  data: unknown,
  { modules = {}, pinning, workflow, variables, moduleVariables, libraryModules }: Surroundings = {},
): { errors: Problem[]; warnings: Problem[] } {
  const { errors, warnings, level, stuck, whole } = analyseWorkflow(data, modules, workflow ?? null);
  if (findOversize(data).length === 0) checkFields(data, warnings);
  if (level !== null) {
    if (pinning !== undefined) checkPins(data, modules, pinning, errors, warnings);
    checkImages(level, warnings);
    if (libraryModules !== undefined) checkLibrary(level, libraryModules, warnings);
    const known = (space: string | null) => (space === null ? variables : moduleVariables?.get(space)) ?? null;
    if (whole !== null) checkVariables(whole.expansion, known, warnings);
    checkReach(level, stuck, warnings);
  }
  return { errors: errors.list(), warnings: warnings.list() };
}
