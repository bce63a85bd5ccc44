import type { Modules } from '../data/workflow-data.js';
import { checkFields } from '../fields/check-fields.js';
import { showName } from '../names/check-name.js';
import type { Level } from '../parse/level.js';
import { hasVersion } from '../run/image-reference.js';
import { analyseWorkflow } from './analyse-workflow.js';
import { checkLibrary, type LibraryModules } from './check-library.js';
import { checkPins, type PinningPolicy } from './check-pins.js';
import { findSizeProblems } from './check-size.js';
import { checkUnreachableNodes } from './check-unused-nodes.js';
import { checkVariables } from './check-variables.js';
import type { Problem, Problems } from './problem.js';

/** What validation knows about a workflow's surroundings. It skips the checks for absent fields; absent `modules` means none. */
export interface ValidationContext {
  /** The wrapped version for each string in a WORKFLOW node's `workflow` field, including those of nested modules. */
  modules?: Modules;
  /** Whether to check that modules of other spaces are pinned. */
  pinning?: PinningPolicy;
  /** Id of the workflow that the data belongs to, to detect a module that contains that workflow. */
  workflow?: string;
  /** Names of all variables that a run has in its own space. */
  variables?: ReadonlySet<string>;
  /** Names of all variables that modules have, by their space. Variables of a missing space are not checked. */
  moduleVariables?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Library modules, at least all that the data names (`listLibraryModules`). */
  libraryModules?: LibraryModules;
}

/**
 * Validates a version's data. Takes any value and never throws. A workflow without errors compiles.
 * Problems are in the order in which they were found. At most 200 of each kind are listed, the rest is counted.
 */
export function validateWorkflow(
  data: unknown,
  { modules = {}, pinning, workflow, variables, moduleVariables, libraryModules }: ValidationContext = {},
): { errors: Problem[]; warnings: Problem[] } {
  const { errors, warnings, level, brokenNodes, expanded } = analyseWorkflow(data, modules, workflow ?? null);
  if (findSizeProblems(data).length === 0) checkFields(data, warnings);
  if (level !== null) {
    if (pinning !== undefined) checkPins(data, modules, pinning, errors, warnings);
    checkImages(level, warnings);
    if (libraryModules !== undefined) checkLibrary(level, libraryModules, warnings);
    const findNames = (space: string | null) => (space === null ? variables : moduleVariables?.get(space)) ?? null;
    if (expanded !== null) checkVariables(expanded.expansion, findNames, warnings);
    checkUnreachableNodes(level, brokenNodes, warnings);
  }
  return { errors: errors.list(), warnings: warnings.list() };
}

/** Warns of images that may change between runs: an image name without a tag means the current `latest`. */
function checkImages(level: Level, warnings: Problems): void {
  for (const { name, node } of level.nodes.values()) {
    const part = node.type === 'TOOL' ? 'container' : 'script';
    const image = node[part]?.image?.trim() ?? '';
    if (image === '' || hasVersion(image)) continue;
    const message = `Image ${showName(image)} of node ${showName(name)} has no tag, so the program that it runs may change.`;
    const hint = `Name a version, for example ${showName(`${image.slice(0, 60)}:1.0`)}, or a digest.`;
    warnings.add({ code: 'image_without_tag', message, node: name, path: `nodes.${name}.${part}.image`, hint });
  }
}
