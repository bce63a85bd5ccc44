import { ValidationError } from '@millrace/contracts/kit/api-error';
import { findOversizedGroups } from '@millrace/graph/check/check-size';
import { isRecord } from '@millrace/graph/data/is-record';
import { MAX_NODES } from '@millrace/graph/data/workflow-data';
import type { Database } from '@millrace/persistence/database';
import { readGroup, isEqual, type Json } from '../diff/diff-records.js';
import { VersionConflictError } from './add-version.js';
import { findSizeProblem } from './encode-data.js';

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

/**
 * Limits `previous_data` to the size that a version may have; otherwise comparing it could take seconds.
 * @throws ValidationError
 */
export function checkPreviousData(previous: unknown): void {
  if (previous === undefined) return;
  const [crowded] = findOversizedGroups(previous);
  if (crowded) {
    const { path, count } = crowded;
    throw new ValidationError({
      [`body.previous_data.${path}`]: `has ${count} entries; at most ${MAX_NODES} are allowed`,
    });
  }
  const problem = findSizeProblem(JSON.stringify(previous));
  if (problem !== null) throw new ValidationError({ 'body.previous_data': problem });
}

const GROUPS = ['nodes', 'primitiveNodes', 'outputNodes'] as const;

/**
 * Names of the nodes that both versions changed, added or removed since `base`, the data that both started from.
 * @returns null if `base` cannot be compared
 */
export function findChangedNodes(base: unknown, mine: unknown, theirs: unknown): string[] | null {
  if (!isRecord(base)) return null;
  const changed = new Set<string>();
  for (const group of GROUPS) {
    const [before, here, there] = [readGroup(base, group), readGroup(mine, group), readGroup(theirs, group)];
    for (const name of new Set([before, here, there].flatMap((nodes) => Object.keys(nodes)))) {
      if (differs(before, here, name) && differs(before, there, name)) changed.add(name);
    }
  }
  return [...changed].sort();
}

const differs = (a: Json, b: Json, name: string): boolean =>
  Object.hasOwn(a, name) ? !Object.hasOwn(b, name) || !isEqual(a[name], b[name]) : Object.hasOwn(b, name);
