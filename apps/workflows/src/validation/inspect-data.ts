import type { Caller } from '@millrace/contracts/kit/envelope';
import { findOversize } from '@millrace/graph/check-size';
import type { Problem } from '@millrace/graph/problem';
import { validateWorkflow } from '@millrace/graph/validate-workflow';
import type { Database } from '@millrace/persistence/database';
import { mayRead } from '@millrace/persistence/tenancy';
import { loadLibraryNames } from './load-library-names.js';
import { loadModules } from './load-modules.js';
import { loadVariableNames } from './load-variable-names.js';

export interface Findings {
  errors: Problem[];
  warnings: Problem[];
  /** Modules that the latest version names. */
  former: string[];
}

/**
 * Says what is wrong with data that is, or is to be, a version of a workflow. Somebody who edits may name modules of
 * the spaces that they can read, and keep what the latest version named already.
 * @param space whose variables there are; null where nobody looks at warnings, which saves looking up what they are about
 */
export async function inspectData(
  client: Database['client'],
  data: unknown,
  workflow: { id: string; latestVersionId: string | null },
  caller: Caller,
  space: string | null = null,
): Promise<Findings> {
  const oversize = findOversize(data);
  if (oversize.length > 0) return { errors: oversize, warnings: [], former: [] };
  const { latestVersionId: id } = workflow;
  const latest = id === null ? null : await client.version.findUnique({ where: { id }, select: { modules: true } });
  const former = latest?.modules ?? [];
  const mayUse = (moduleSpace: string, key: string) => mayRead(caller, moduleSpace) || former.includes(key);
  const { modules, problem } = await loadModules(client, caller.vault, data, mayUse);
  if (problem) return { errors: [problem], warnings: [], former };
  const known = { modules, workflow: workflow.id };
  if (space === null) return { ...validateWorkflow(data, known), former };
  const [variables, libraryModules] = await Promise.all([
    loadVariableNames(client, [data, ...Object.values(modules).map((module) => module.data)], space, caller),
    loadLibraryNames(client, data, caller.vault),
  ]);
  return { ...validateWorkflow(data, { ...known, libraryModules, ...(variables && { variables }) }), former };
}
