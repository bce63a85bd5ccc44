import type { Caller } from '@millrace/contracts/kit/envelope';
import { findSizeProblems } from '@millrace/graph/check/check-size';
import type { Problem } from '@millrace/graph/check/problem';
import { validateWorkflow } from '@millrace/graph/check/validate-workflow';
import type { Database } from '@millrace/persistence/database';
import { canRead } from '@millrace/persistence/tenancy';
import { findForbiddenModules } from './find-forbidden-modules.js';
import { loadLibraryNames } from './load-library-names.js';
import { loadModules } from './load-modules.js';
import { loadVariableNames } from './load-variable-names.js';

export interface Findings {
  errors: Problem[];
  warnings: Problem[];
  /** Modules that the latest version names. */
  former: string[];
}

export interface InspectedWorkflow {
  id: string;
  latestVersionId: string | null;
  /** Space of the workflow, for a new one the space that it is to be in. */
  spaceId: string;
}

export interface Inspection {
  /** Whether the data is stored already: then a module of another space that is not pinned is only a warning. */
  stored: boolean;
  /** Whether the warnings are of use; without them there is less to load. */
  warnings: boolean;
}

/**
 * Says what is wrong with data that is, or is to be, a version of a workflow. Somebody who edits may name modules of
 * the spaces that they can read, and keep what the latest version named already.
 */
export async function inspectData(
  client: Database['client'],
  data: unknown,
  workflow: InspectedWorkflow,
  caller: Caller,
  inspection: Inspection,
): Promise<Findings> {
  const oversize = findSizeProblems(data);
  if (oversize.length > 0) return { errors: oversize, warnings: [], former: [] };
  const { latestVersionId: id, spaceId: space } = workflow;
  const latest = id === null ? null : await client.version.findUnique({ where: { id }, select: { modules: true } });
  const former = latest?.modules ?? [];
  const mayUse = (moduleSpace: string, key: string) => canRead(caller, moduleSpace) || former.includes(key);
  const { modules, problem } = await loadModules(client, caller.vault, { data, space }, mayUse);
  if (problem) return { errors: [problem], warnings: [], former };
  const known = { modules, workflow: workflow.id, pinning: { space, required: !inspection.stored } };
  const forbidden = findForbiddenModules(data, modules, { space, caller, former });
  const surroundings = inspection.warnings ? await loadSurroundings(client, data, modules, space, caller) : {};
  const { errors, warnings } = validateWorkflow(data, { ...known, ...surroundings });
  return { errors: [...errors, ...forbidden], warnings, former };
}

/** What warnings are about: variables and modules of the library. */
async function loadSurroundings(
  client: Database['client'],
  data: unknown,
  modules: Awaited<ReturnType<typeof loadModules>>['modules'],
  space: string,
  caller: Caller,
) {
  const [variables, libraryModules] = await Promise.all([
    loadVariableNames(client, data, Object.values(modules), space, caller),
    loadLibraryNames(client, data, caller.vault),
  ]);
  return { libraryModules, ...variables };
}
