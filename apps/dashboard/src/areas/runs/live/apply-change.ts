import { isFinalSubjob, type Run, type RunChange, type Subjob } from '@millrace/client';

/** The subject of changes of the run itself; other subjects are ids of subjobs. */
export const RUN_SUBJECT = 'run';

/**
 * The subjob after a change of its status. A stream begins with changes that the subjob already shows; by their times, these
 * change nothing.
 */
export function changeSubjob<T extends Subjob>(subjob: T, { status, at }: RunChange): T {
  const isOld = [subjob.finished_at, subjob.started_at].some((time) => time !== undefined && at < time);
  if (isOld || subjob.status === status) return subjob;
  const next = { ...subjob, status: status as Subjob['status'] };
  if (status === 'RUNNING') {
    delete next.finished_at;
    delete next.duration_ms;
    return { ...next, started_at: at };
  }
  if (!isFinalSubjob(next.status)) return next;
  const { started_at: started } = next;
  return {
    ...next,
    finished_at: at,
    ...(started !== undefined && { duration_ms: Date.parse(at) - Date.parse(started) }),
  };
}

export function changeRun(run: Run, { status, paused, at }: RunChange): Run {
  const isOld = [run.completed_date, run.started_date].some((time) => time !== undefined && at < time);
  if (isOld) return run;
  return { ...run, status: status as Run['status'], ...(paused !== undefined && { paused }) };
}

/** The nodes of a run after a batch of changes, by subject. Nodes without a change stay the same objects. */
export function changeSteps(steps: readonly Subjob[], changes: ReadonlyMap<string, RunChange>): readonly Subjob[] {
  if (changes.size === 0) return steps;
  let isSame = true;
  const next = steps.map((step) => {
    const change = changes.get(step.id);
    const changed = change ? changeSubjob(step, change) : step;
    isSame &&= changed === step;
    return changed;
  });
  return isSame ? steps : next;
}
