import type { Database } from '@millrace/persistence/database';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { ItemKeys, SplitResult } from './item-keys.js';
import type { NodePair } from './match-nodes.js';

/** A run with its plan. */
export interface ComparedRun {
  id: bigint;
  plan: PlanIndex;
}

/** The keys of children in two scopes whose nodes are compared, in the order of the children. */
interface ScopeKeys {
  a: string[];
  b: string[];
}

/** By `<scope of a> <scope of b>`: the keys of the children; null if they are matched by their numbers. */
export type ChildKeys = ReadonlyMap<string, ScopeKeys | null>;

/** Names the scopes of a node that both runs split; null if one of them does not. */
export const scopesOf = ({ a, b }: NodePair): string | null =>
  a?.scope == null || b?.scope == null ? null : `${a.scope} ${b.scope}`;

/** Reads what the children of both runs work on, for all nodes that both split. */
export async function matchChildren(
  database: Database,
  itemKeys: ItemKeys,
  a: ComparedRun,
  b: ComparedRun,
  pairs: readonly NodePair[],
): Promise<ChildKeys> {
  const found = new Map<string, ScopeKeys | null>();
  for (const scopes of new Set(pairs.map(scopesOf))) {
    if (scopes === null) continue;
    const [scopeA = 0, scopeB = 0] = scopes.split(' ').map(Number);
    const keysOfA = await readKeys(database, itemKeys, a, scopeA);
    const keysOfB = keysOfA && (await readKeys(database, itemKeys, b, scopeB));
    const isSameMode = a.plan.plan.scopes[scopeA]?.mode === b.plan.plan.scopes[scopeB]?.mode;
    found.set(scopes, keysOfA && keysOfB && isSameMode ? { a: keysOfA, b: keysOfB } : null);
  }
  return found;
}

async function readKeys(
  database: Database,
  itemKeys: ItemKeys,
  { id, plan }: ComparedRun,
  scope: number,
): Promise<string[] | null> {
  const segment = plan.splitSegmentOf(scope);
  const row = await database.client.runSegment.findUnique({ where: { runId_segment: { runId: id, segment } } });
  const split = (row?.split ?? null) as SplitResult | null;
  const mode = plan.plan.scopes[scope]?.mode;
  // Nothing was split yet, so there are no children either.
  if (split === null) return [];
  return mode === undefined ? null : itemKeys.read(split, mode);
}
