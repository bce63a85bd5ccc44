import { z } from 'zod';
import { MillraceError } from '@millrace/client';
import { createRun } from '@millrace/contracts/runs/runs';
import { defineTool } from '../tool.js';
import { describedRun, describeRun } from './describe-run.js';
import { waitUntilEnded } from './wait-until-ended.js';

/** Less than the 60 s after which the official client gives up by default. */
const DEFAULT_WAIT_SECONDS = 45;

export const waitSeconds = z
  .int()
  .min(0)
  .max(3_600)
  .default(DEFAULT_WAIT_SECONDS)
  .describe('Seconds to wait for the end. The run goes on after that, and also if this call is cancelled');

export const runWorkflow = defineTool({
  name: 'run_workflow',
  title: 'Run a workflow and wait for its result',
  description:
    'Starts a run of a workflow, waits for its end, and returns its status with outputs and failures. It reports progress. If ' +
    'the run takes longer than `wait_seconds`, `run.finished` is false: continue with `wait_for_run`, and do not start it again. ' +
    'A run executes the steps, which may cost money and change other systems; use `plan_run` to see what it would do.',
  input: z.strictObject({
    workflow_id: z.string().min(1),
    ...createRun.body.omit({ part: true, reuse_run: true }).shape,
    wait_seconds: waitSeconds,
  }),
  output: describedRun,
  isOpenWorld: true,
  run: async (call, { workflow_id: id, wait_seconds: seconds, ...body }) => {
    const { client, signal } = call;
    const started = await client.call(createRun, { params: { id }, body, signal });
    try {
      return await describeRun(call, await waitUntilEnded(call, started.id, seconds));
    } catch (error) {
      throw nameRun(error, started.id);
    }
  },
});

/** Names the run in a failure after its start, so that a model does not start another one. */
function nameRun(error: unknown, id: string): unknown {
  if (!(error instanceof MillraceError)) return error;
  const message = `${error.message} Run ${id} was started and goes on; continue with wait_for_run.`;
  return new MillraceError(
    error.status,
    error.code,
    message,
    { ...error.details, run_id: id },
    error.requestId,
    error.url,
  );
}

export const waitForRun = defineTool({
  name: 'wait_for_run',
  title: 'Wait for the end of a run',
  description:
    'Waits for the end of a run that was started before, and returns its status with outputs and failures. It reports progress. ' +
    'With `wait_seconds` 0 it returns at once. Call it again if `run.finished` is false.',
  input: z.strictObject({
    run_id: z.string().regex(/^\d+$/, 'must be the number of a run'),
    wait_seconds: waitSeconds,
  }),
  output: describedRun,
  isReadOnly: true,
  run: async (call, { run_id: id, wait_seconds: seconds }) =>
    describeRun(call, await waitUntilEnded(call, id, seconds)),
});
