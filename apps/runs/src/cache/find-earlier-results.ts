import { CACHE_PARTS, type CacheKey } from '@millrace/contracts/runs/cache';
import { MAX_EXPLAINED_RUNS } from '@millrace/contracts/runs/cached-results';
import type { Step } from '@millrace/graph/plan/plan';
import type { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';

export type KeyParts = CacheKey['parts'];

/** A run before the explained one. */
export interface EarlierRun {
  id: bigint;
  name: string;
  plan: string;
}

/** The runs of the same workflow and space before a run, newest first. */
export const findEarlierRuns = ({ client }: Database, { id, vaultId, workflowId, spaceId, createdAt }: Run) =>
  client.$queryRaw<EarlierRun[]>`
    SELECT id, name, plan FROM runs.run
    WHERE workflow_id = ${workflowId}::uuid AND vault_id = ${vaultId}::uuid AND space_id = ${spaceId}::uuid
      AND created_at <= ${createdAt} AND id < ${id}
    ORDER BY created_at DESC, id DESC LIMIT ${MAX_EXPLAINED_RUNS}`;

/** The subjob of an earlier run for the explained node and item. */
export interface Counterpart {
  run: bigint;
  step: Step;
  task: number;
}

export interface EarlierResult extends Counterpart {
  id: bigint;
  parts: KeyParts;
  params: Record<string, unknown> | null;
  finishedAt: Date | null;
}

/** Reads those of the subjobs that have a cache key, in the same order. */
export async function findEarlierResults(
  { client }: Database,
  counterparts: readonly Counterpart[],
): Promise<EarlierResult[]> {
  const rows = await client.$queryRaw<(Omit<EarlierResult, keyof Counterpart> & { position: number })[]>`
    SELECT c.position::int AS position, s.id, s.cache_parts AS parts, s.params, s.finished_at AS "finishedAt"
    FROM unnest(${counterparts.map(({ run }) => String(run))}::bigint[],
      ${counterparts.map(({ step }) => step.index)}::int[], ${counterparts.map(({ task }) => task)}::int[])
      WITH ORDINALITY AS c(run, step, task, position)
    JOIN runs.subjob s ON s.run_id = c.run AND s.step = c.step AND s.task = c.task
    WHERE s.cache_parts IS NOT NULL ORDER BY c.position`;
  return rows.flatMap(({ position, ...row }) => {
    const counterpart = counterparts[position - 1];
    return counterpart ? [{ ...counterpart, ...row }] : [];
  });
}

/** The parts in which a key differs from another one. */
export const differingParts = (parts: KeyParts, other: KeyParts) =>
  CACHE_PARTS.filter((name) => parts[name] !== other[name]);

/** The result with the most equal parts; the first of several. */
export function findNearest<T extends { parts: KeyParts }>(parts: KeyParts, results: readonly T[]): T | null {
  let nearest: T | null = null;
  let fewest = Infinity;
  for (const result of results) {
    const different = differingParts(parts, result.parts).length;
    if (different < fewest) [nearest, fewest] = [result, different];
  }
  return nearest;
}
