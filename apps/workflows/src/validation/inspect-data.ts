import type { Caller } from '@millrace/contracts/kit/envelope';
import { findSizeProblems } from '@millrace/graph/check/check-size';
import type { Problem } from '@millrace/graph/check/problem';
import { validateWorkflow } from '@millrace/graph/check/validate-workflow';
import type { Database } from '@millrace/persistence/database';
import { canRead } from '@millrace/persistence/tenancy';
import { findForbiddenModules } from './find-forbidden-modules.js';
import { loadModules } from './load-modules.js';
import { loadLibraryNames, loadVariableNames } from './load-names.js';

export interface Findings {
  errors: Problem[];
  warnings: Problem[];
  /** Modules that the latest version names. */
  latestModules: string[];
}

export interface InspectedWorkflow {
  id: string;
  latestVersionId: string | null;
  /** Space of the workflow, or the target space of a new one. */
  spaceId: string;
}

export interface Inspection {
  /** The data is stored already: a module of another space that is not pinned is then only a warning. */
  stored: boolean;
  /** Whether to look for warnings; without them less is loaded. */
  warnings: boolean;
}

/**
 * Validates data that is, or will be, a version of a workflow. An editor may name modules of the spaces that they can
 * read, and may keep those that the latest version names.
 */
export async function inspectData(
  client: Database['client'],
  data: unknown,
  workflow: InspectedWorkflow,
  caller: Caller,
  inspection: Inspection,
): Promise<Findings> {
  const oversize = findSizeProblems(data);
  if (oversize.length > 0) return { errors: oversize, warnings: [], latestModules: [] };
  const { latestVersionId: id, spaceId: space } = workflow;
  const latest = id === null ? null : await client.version.findUnique({ where: { id }, select: { modules: true } });
  const latestModules = latest?.modules ?? [];
  const mayUse = (moduleSpace: string, key: string) => canRead(caller, moduleSpace) || latestModules.includes(key);
  const { modules, problem } = await loadModules(client, caller.vault, { data, space }, mayUse);
  if (problem) return { errors: [problem], warnings: [], latestModules };
  const options = { modules, workflow: workflow.id, pinning: { space, required: !inspection.stored } };
  const forbidden = findForbiddenModules(data, modules, { space, caller, latestModules });
  const surroundings = inspection.warnings ? await loadSurroundings(client, data, modules, space, caller) : {};
  const { errors, warnings } = validateWorkflow(data, { ...options, ...surroundings });
  return { errors: [...errors, ...forbidden], warnings, latestModules };
}

/** Loads what warnings need: the names of variables and of library modules. */
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
