import type { Database } from '@millrace/persistence/database';
import { findChangedNodes } from '../diff/find-changed-nodes.js';
import { VersionConflictError } from './version-conflict-error.js';

const MAX_CHANGED_NODES = 1_000;
/** A node cannot have a longer name; what else the data holds can. */
const MAX_NAME_LENGTH = 255;

/**
 * Adds to a conflict which nodes both sides changed. Not in the transaction of the save: comparing 30 MiB takes a quarter
 * of a second, for which all other saves of the workflow would wait.
 * @param base what the author began with; nothing is added where they did not say
 */
export async function addChangedNodes(
  client: Database['client'],
  error: unknown,
  { mine, base }: { mine: unknown; base: unknown },
): Promise<unknown> {
  if (!(error instanceof VersionConflictError) || base === undefined) return error;
  const { latestVersionId: id } = error;
  const latest = id === null ? null : await client.version.findUnique({ where: { id }, select: { data: true } });
  const changed = findChangedNodes(base, mine, latest && JSON.parse(latest.data));
  if (changed === null) return error;
  const named = changed.filter((name) => name.length <= MAX_NAME_LENGTH).slice(0, MAX_CHANGED_NODES);
  const more = changed.length - named.length;
  error.details = { ...error.details, changed_nodes: named, ...(more > 0 && { more_changed_nodes: more }) };
  return error;
}
