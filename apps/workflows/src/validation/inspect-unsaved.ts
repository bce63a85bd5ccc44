import type { Caller } from '@millrace/contracts/kit/envelope';
import { findSizeProblems } from '@millrace/graph/check/check-size';
import type { Problem } from '@millrace/graph/check/problem';
import type { Database } from '@millrace/persistence/database';
import { fillInUses } from '../library/uses/fill-in-uses.js';
import { inspectData, type InspectedWorkflow } from './inspect-data.js';

/** Validates data as an author has written it, in which nodes may still name library modules by `uses`. */
export async function inspectUnsaved(
  client: Database['client'],
  written: unknown,
  workflow: InspectedWorkflow,
  caller: Caller,
): Promise<{ errors: Problem[]; warnings: Problem[] }> {
  const oversize = findSizeProblems(written);
  if (oversize.length > 0) return { errors: oversize, warnings: [] };
  const { data, problems } = await fillInUses(client, written, caller.vault);
  const inspection = { stored: false, warnings: true };
  const { errors, warnings } = await inspectData(client, data, workflow, caller, inspection);
  // A node that could not be filled in lacks all its fields; only the reason helps the author.
  const isFilled = ({ node }: { node?: string }) => !problems.some((problem) => problem.node === node);
  return { errors: [...problems, ...errors.filter(isFilled)], warnings: warnings.filter(isFilled) };
}
