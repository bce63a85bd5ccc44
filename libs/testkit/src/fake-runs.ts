import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import { findReadableOutputs } from '@millrace/contracts/runs/outputs';
import { launchRun, runFinished } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import type { System } from './start-apps.js';

type Wanted = Input<typeof launchRun>['body'];

export interface Played extends Wanted {
  run: string;
  caller: Caller;
  ended: boolean;
}

/**
 * What the services beside workflows do for ticks and webhooks, as far as they promise it: one run for an origin, one
 * open for a schedule.
 */
export interface FakeRuns {
  /** All runs that were started, in order. */
  started: Played[];
  of(workflow: string): Played[];
  /** Who stands in for a user; those who are not in it are gone. */
  callers: Map<string, Caller>;
  /** Ids of the outputs that there are, and that everybody may read. */
  outputs: Set<string>;
  /**
   * Called when a run is asked for, before it is started (`ask`) and before that is answered (`answer`); what it throws
   * is the answer.
   */
  before: (moment: 'ask' | 'answer', wanted: Wanted) => void;
  end(run: string, status?: RunStatus): Promise<void>;
}

export async function fakeRuns(system: System): Promise<FakeRuns> {
  const auth = await system.play('auth');
  const runs = await system.play('runs');
  const source = await system.sourceOf('runs');
  const played: FakeRuns = {
    started: [],
    of: (workflow) => played.started.filter((run) => run.workflow === workflow),
    callers: new Map(),
    outputs: new Set(),
    before: () => undefined,
    end: async (run, status = 'COMPLETED') => {
      const ended = played.started.find((one) => one.run === run);
      if (!ended) throw new Error(`Run ${run} was not started`);
      ended.ended = true;
      const { workflow, creationType, caller, schedule } = ended;
      await source.emit(runFinished, {
        ...{ run, workflow, creationType, status, name: 'Run', workflowName: 'Workflow', durationMs: 1, error: null },
        ...{ author: caller.user, vault: caller.vault, space: workflow, finishedAt: new Date().toISOString() },
        ...(schedule !== undefined && { schedule }),
      });
    },
  };
  auth.on(resolveAbsentCaller, ({ body }) => ({ caller: played.callers.get((body as { user: string }).user) ?? null }));
  runs.on(findReadableOutputs, ({ body }) => {
    const { outputs } = findReadableOutputs.body.parse(body);
    return { readable: outputs.filter((id) => played.outputs.has(id)) };
  });
  runs.on(launchRun, ({ body, caller }) => launch(played, launchRun.body.parse(body), caller));
  return played;
}

function launch(played: FakeRuns, wanted: Wanted, caller: Caller | null): { run: string; busy: boolean } {
  if (!caller) throw new ApiError('unauthenticated', 'Nobody asks');
  played.before('ask', wanted);
  const former = played.started.find(({ origin }) => origin === wanted.origin);
  const open = played.started.find(({ schedule, ended }) => schedule === wanted.schedule && schedule && !ended);
  if (!former && open) return { run: open.run, busy: true };
  const run = former ?? { ...wanted, caller, run: String(played.started.length + 1), ended: false };
  if (!former) played.started.push(run);
  played.before('answer', wanted);
  return { run: run.run, busy: false };
}
