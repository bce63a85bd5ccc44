import type { Database } from '@millrace/persistence/database';
import { findChangedNodes } from '../diff/find-changed-nodes.js';
import { VersionConflictError } from './version-conflict-error.js';

const MAX_CHANGED_NODES = 1_000;
/** Names of nodes are no longer than this. Other keys in unchecked data may be. */
const MAX_NAME_LENGTH = 255;

/**
 * Adds to a version conflict the nodes that both sides changed. Runs outside the save's transaction: comparing 30 MiB
 * takes a quarter of a second, which would block all other saves of the workflow.
 * @param base the data that the author started from; without it nothing is added
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
