import { resolveAbsentCaller } from '@millrace/contracts/auth/callers';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import { findReadableOutputs } from '@millrace/contracts/runs/outputs';
import { launchRun, runFinished } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import type { System } from './start-apps.js';

type LaunchRequest = Input<typeof launchRun>['body'];

export interface StartedRun extends LaunchRequest {
  run: string;
  caller: Caller;
  finished: boolean;
}

/**
 * A fake of the services that workflows calls for ticks and hooks. It keeps their guarantees: one run per origin, one
 * open run per schedule.
 */
export interface FakeRuns {
  /** All runs that were started, in order. */
  started: StartedRun[];
  runsOf(workflow: string): StartedRun[];
  /** Callers by user id. A user who is not in the map is deleted. */
  callers: Map<string, Caller>;
  /** Ids of the existing outputs. Every user may read them. */
  outputs: Set<string>;
  /**
   * Called twice for each request to launch a run: before the run is started (`request`) and before the response is sent
   * (`response`). An error that it throws becomes the response.
   */
  onLaunch: (stage: 'request' | 'response', request: LaunchRequest) => void;
  finish(run: string, status?: RunStatus): Promise<void>;
}

export async function fakeRuns(system: System): Promise<FakeRuns> {
  const auth = await system.fake('auth');
  const runs = await system.fake('runs');
  const source = await system.sourceOf('runs');
  const fake: FakeRuns = {
    started: [],
    runsOf: (workflow) => fake.started.filter((run) => run.workflow === workflow),
    callers: new Map(),
    outputs: new Set(),
    onLaunch: () => undefined,
    finish: async (run, status = 'COMPLETED') => {
      const started = fake.started.find((one) => one.run === run);
      if (!started) throw new Error(`Run ${run} was not started.`);
      started.finished = true;
      const { workflow, creationType, caller, schedule } = started;
      await source.emit(runFinished, {
        ...{ run, workflow, creationType, status, name: 'Run', workflowName: 'Workflow', durationMs: 1, error: null },
        ...{ author: caller.user, vault: caller.vault, space: workflow, finishedAt: new Date().toISOString() },
        ...(schedule !== undefined && { schedule }),
      });
    },
  };
  auth.on(resolveAbsentCaller, ({ body }) => ({ caller: fake.callers.get((body as { user: string }).user) ?? null }));
  runs.on(findReadableOutputs, ({ body }) => {
    const { outputs } = findReadableOutputs.body.parse(body);
    return { readable: outputs.filter((id) => fake.outputs.has(id)) };
  });
  runs.on(launchRun, ({ body, caller }) => launch(fake, launchRun.body.parse(body), caller));
  return fake;
}

function launch(fake: FakeRuns, request: LaunchRequest, caller: Caller | null): { run: string; busy: boolean } {
  if (!caller) throw new ApiError('unauthenticated', 'The request has no caller.');
  fake.onLaunch('request', request);
  const earlier = fake.started.find(({ origin }) => origin === request.origin);
  const open = fake.started.find(({ schedule, finished }) => schedule === request.schedule && schedule && !finished);
  if (!earlier && open) return { run: open.run, busy: true };
  const run = earlier ?? { ...request, caller, run: String(fake.started.length + 1), finished: false };
  if (!earlier) fake.started.push(run);
  fake.onLaunch('response', request);
  return { run: run.run, busy: false };
}
