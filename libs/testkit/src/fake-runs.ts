import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import { findReadableOutputs } from '@millrace/contracts/runs/outputs';
import { launchRun, runFinished } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import type { System } from './start-apps.js';

type LaunchRequest = Input<typeof launchRun>['body'];

export interface Played extends LaunchRequest {
  run: string;
  caller: Caller;
  ended: boolean;
}

/**
 * A fake of the services that workflows calls for ticks and webhooks. It keeps their guarantees: one run per origin, one
 * open run per schedule.
 */
export interface FakeRuns {
  /** All runs that were started, in order. */
  started: Played[];
  of(workflow: string): Played[];
  /** Callers by user id. A user who is not in the map is deleted. */
  callers: Map<string, Caller>;
  /** Ids of the existing outputs. Every user may read them. */
  outputs: Set<string>;
  /**
   * Called for each request to launch a run: before the run is started (`request`) and before the response is sent
   * (`response`). An error that it throws becomes the response.
   */
  before: (moment: 'request' | 'response', request: LaunchRequest) => void;
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

function launch(played: FakeRuns, request: LaunchRequest, caller: Caller | null): { run: string; busy: boolean } {
  if (!caller) throw new ApiError('unauthenticated', 'The request has no caller');
  played.before('request', request);
  const former = played.started.find(({ origin }) => origin === request.origin);
  const open = played.started.find(({ schedule, ended }) => schedule === request.schedule && schedule && !ended);
  if (!former && open) return { run: open.run, busy: true };
  const run = former ?? { ...request, caller, run: String(played.started.length + 1), ended: false };
  if (!former) played.started.push(run);
  played.before('response', request);
  return { run: run.run, busy: false };
}
