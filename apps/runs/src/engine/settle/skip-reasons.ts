import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import type { LockedRun } from '../transaction/locked-run.js';

/** The message of subjobs that one node causes to be skipped. */
export const skippedBecause = (node: string, status: 'FAILED' | 'STOPPED'): string =>
  `skipped: ${node} ${status === 'FAILED' ? 'failed' : 'was stopped'}`;

/** The message of a subjob that a user skips, or the start of it if the user gave a comment. */
export const SKIPPED_BY_USER = 'skipped by a user';

/** The start of the message of every subjob that another one causes to be skipped. */
export const SKIPPED = 'skipped: ';

interface Cause {
  node: string;
  status: SubjobStatus;
  message: string | null;
}

/** Causes that a message names. */
const MAX_CAUSES = 3;
const SEPARATOR = '; ';
const MORE = /^and (\d+) more$/;

/**
 * The message of a subjob that is skipped because of others: `skipped: ok-1 failed; ok-2 was skipped by a user`. A cause that was
 * itself skipped is replaced by its own causes. Further ones are counted.
 */
export function describeCauses(causes: readonly Cause[]): string | null {
  const parts = causes.flatMap((cause) => describeCause(cause).split(SEPARATOR));
  const named = [...new Set(parts.filter((part) => !MORE.test(part)))];
  if (named.length === 0) return null;
  const alreadyCounted = parts.map((part) => Number(MORE.exec(part)?.[1] ?? 0));
  const more = Math.max(0, named.length - MAX_CAUSES) + Math.max(0, ...alreadyCounted);
  const shown = [...named.slice(0, MAX_CAUSES), ...(more > 0 ? [`and ${more} more`] : [])];
  return `${SKIPPED}${shown.join(SEPARATOR)}`;
}

function describeCause({ node, status, message }: Cause): string {
  if (status === 'FAILED' || status === 'STOPPED') return skippedBecause(node, status).slice(SKIPPED.length);
  if (message === null) return `${node} was skipped`;
  if (message.startsWith(SKIPPED_BY_USER)) return `${node} was ${message}`;
  const reason = message.startsWith(SKIPPED) ? message.slice(SKIPPED.length) : message;
  return reason.replace(/^its condition(?= is false)/, `the condition of ${node}`);
}

/** Rows of the steps of segments: `c(segment, step, orders)`. */
function stepsOf(run: LockedRun, segments: readonly number[], isOrder: (segment: number) => boolean = () => false) {
  const places = segments.flatMap((segment) =>
    run.plan.segment(segment).steps.map((step) => ({ segment, step: run.plan.subjobOf(step, 0).step })),
  );
  return Prisma.sql`unnest(${places.map(({ segment }) => segment)}::int[], ${places.map(({ step }) => step)}::int[],
    ${places.map(({ segment }) => isOrder(segment))}::boolean[]) AS c(segment, step, orders)`;
}

const WORST_FIRST = Prisma.sql`array_position(ARRAY['FAILED', 'STOPPED', 'SKIPPED'], s.status), s.step`;

/** Finds the message for subjobs that are skipped because these segments as a whole have no result: a cause for each. */
export async function findSkipReason(
  tx: Transaction,
  run: LockedRun,
  segments: readonly number[],
): Promise<string | null> {
  const causes = await tx.$queryRaw<Cause[]>`
    SELECT DISTINCT ON (c.segment) s.node, s.status, s.message
    FROM ${stepsOf(run, segments)} JOIN runs.subjob s ON s.run_id = ${run.id} AND s.step = c.step AND s.task = 0
    WHERE s.status IN ('FAILED', 'STOPPED', 'SKIPPED')
    ORDER BY c.segment, ${WORST_FIRST}`;
  return describeCauses(causes);
}

/**
 * Finds the message for each of these children of a segment, which are skipped because the same children of segments before it
 * have no result. Do not pass all children: a scan of 100,000 for each batch is too slow.
 */
export async function findChildReasons(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: readonly number[],
): Promise<Map<number, string>> {
  const needs = run.plan.segment(segment).needs.filter(({ how }) => how === 'each');
  const orders = new Set(needs.filter(({ ordersOnly }) => ordersOnly).map((need) => need.segment));
  const sources = stepsOf(
    run,
    needs.map((need) => need.segment),
    (source) => orders.has(source),
  );
  const rows = await tx.$queryRaw<(Cause & { task: number })[]>`
    SELECT DISTINCT ON (s.task, c.segment) s.task, s.node, s.status, s.message
    FROM ${sources}
    JOIN runs.task t ON t.run_id = ${run.id} AND t.segment = c.segment AND t.index = ANY(${[...indexes]}::int[])
      AND (t.outcome = 'BROKEN' OR (t.outcome = 'MISSING' AND NOT c.orders))
    JOIN runs.subjob s ON s.run_id = ${run.id} AND s.step = c.step AND s.task = t.index
    WHERE s.status IN ('FAILED', 'STOPPED', 'SKIPPED')
    ORDER BY s.task, c.segment, ${WORST_FIRST}`;
  const byTask = Map.groupBy(rows, ({ task }) => task);
  return new Map(
    [...byTask].flatMap(([task, causes]) => {
      const reason = describeCauses(causes);
      return reason === null ? [] : [[task, reason] as const];
    }),
  );
}
