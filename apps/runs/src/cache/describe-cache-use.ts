import type { CACHE_BYPASSES } from '@millrace/contracts/runs/cached-results';
import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Step } from '@millrace/graph/plan/plan';
import type { Run, Subjob } from '@millrace/persistence/generated/client';

export type CacheBypass = (typeof CACHE_BYPASSES)[number];

/** What a subjob did with the cache. */
export type CacheUse = { result: 'hit' | 'miss' } | { result: 'not_used'; reason: CacheBypass };

const BYPASS_MESSAGES: Record<CacheBypass, string> = {
  node_type: 'Approvals and splitters do not use the cache.',
  task_group: 'Each child of a task group has a result of its own; see the children.',
  off_for_run: 'The run was started with `use_cache: false`.',
  off_for_node: 'The node has no `cache: true`, and the run was not started with `use_cache: true`.',
  not_executed: 'The subjob has not been executed yet.',
  running: 'The subjob is running; whether it reuses a result is known when it has ended.',
  skipped: 'The subjob was skipped.',
  stopped: 'The subjob was stopped.',
  failed: 'The subjob failed. Only successful subjobs have a result that can be reused.',
  no_key:
    'The subjob has no cache key: its secret variables could not be read, or it ran before the parts of the key were recorded.',
};

type UsedSubjob = Pick<Subjob, 'status' | 'task' | 'cachedFrom' | 'cacheParts'>;
type UsingRun = Pick<Run, 'useCache' | 'parentRun'>;

/** Decides from what is stored whether a subjob reused a result. */
export function findCacheUse(
  run: UsingRun,
  step: Pick<Step, 'program' | 'scope' | 'cache'>,
  subjob: UsedSubjob,
): CacheUse {
  const reason = findBypass(run, step, subjob);
  if (reason !== null) return { result: 'not_used', reason };
  return { result: subjob.cachedFrom === null ? 'miss' : 'hit' };
}

function findBypass(
  run: UsingRun,
  { program, scope, cache }: Pick<Step, 'program' | 'scope' | 'cache'>,
  { status, task, cachedFrom, cacheParts }: UsedSubjob,
): CacheBypass | null {
  if (program.kind === 'split' || program.kind === 'approval') return 'node_type';
  if (scope !== null && task === 0) return 'task_group';
  if (cachedFrom !== null) return null;
  // A run with a parent takes over results of the parent even if it bypasses the cache.
  if (run.useCache === false && run.parentRun === null) return 'off_for_run';
  if (run.useCache !== true && !cache) return 'off_for_node';
  return findUnfinished(status as SubjobStatus) ?? (cacheParts === null ? 'no_key' : null);
}

function findUnfinished(status: SubjobStatus): CacheBypass | null {
  if (status === 'PENDING') return 'not_executed';
  if (!isFinalSubjob(status)) return 'running';
  if (status === 'SUCCEEDED') return null;
  return status === 'FAILED' ? 'failed' : status === 'STOPPED' ? 'stopped' : 'skipped';
}

/** What an explanation says besides the result. */
interface Comparison {
  /** The subjob whose result was reused; undefined if it cannot be shown. */
  source?: { run: string; subjob: string } | undefined;
  nearest?: { run: string; subjob: string; different: readonly { name: string }[] } | undefined;
  examined: number;
}

/** Explains a result in a sentence or two. */
export function describeCacheUse(use: CacheUse, { source, nearest, examined }: Comparison): string {
  if (use.result === 'not_used') return BYPASS_MESSAGES[use.reason];
  if (use.result === 'hit') {
    return source
      ? `It reused the result of subjob ${source.subjob} in run ${source.run}.`
      : 'It reused the result of a subjob that was deleted since, or that you may not see.';
  }
  if (!nearest) {
    return examined === 0
      ? 'No earlier run of the workflow exists, so there was nothing to reuse.'
      : `None of the last ${examined} runs of the workflow before this one has a result for this node and item with a cache key.`;
  }
  const other = `subjob ${nearest.subjob} in run ${nearest.run}`;
  if (nearest.different.length === 0) {
    return (
      `All parts of the key equal those of ${other}, but that result was not in the cache: it was removed, had expired, or ` +
      'was stored after this subjob had started.'
    );
  }
  const names = nearest.different.map(({ name }) => `\`${name}\``).join(', ');
  return `No cached result had this key. Compared with ${other}, these parts differ: ${names}.`;
}
