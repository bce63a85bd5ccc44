import { z } from 'zod';
import { failureGroup, listFailures } from '@millrace/contracts/runs/failures';
import { listRunOutputs, output } from '@millrace/contracts/runs/outputs';
import { run as runRecord } from '@millrace/contracts/runs/run-record';
import { uris } from '../../resources/uris.js';
import type { ToolCall, ToolOutput } from '../tool.js';

/** Outputs and reasons of failures that the result has; `list_outputs` and `list_failures` have all. */
const MAX_OUTPUTS = 10;
const MAX_FAILURES = 5;

export const describedRun = z.object({
  run: runRecord,
  outputs: z.array(output).describe('The first named outputs, or the first outputs if none is named'),
  outputs_count: z.int().describe('Number of all of them; `list_outputs` has the others'),
  failures: z.array(failureGroup).describe('The most frequent reasons of failures'),
  failures_count: z.int().describe('Number of all reasons; `list_failures` has the others'),
  next_step: z.string().describe('What to do next'),
});

/** Describes a run with its first results, and with the reasons of its failures. */
export async function describeRun(
  { client, signal }: ToolCall,
  run: z.output<typeof runRecord>,
): Promise<ToolOutput & { content: z.input<typeof describedRun> }> {
  const params = { id: run.id };
  const list = (named: 'true' | 'false') =>
    client.call(listRunOutputs, { params, query: { page_size: MAX_OUTPUTS, named }, signal });
  const named = await list('true');
  const outputs = named.count > 0 ? named : await list('false');
  const failures = await client.call(listFailures, { params, query: { page_size: MAX_FAILURES }, signal });
  return {
    content: {
      run,
      outputs: outputs.results,
      outputs_count: outputs.count,
      failures: failures.results,
      failures_count: failures.count,
      next_step: adviseNextStep(run, failures.count),
    },
    links: [
      { uri: uris.run(run.id), name: `Run ${run.id}`, mimeType: 'application/json' },
      ...outputs.results.map(({ id, label, name, pretty_size: size }) => ({
        ...{ uri: uris.output(id), name, description: `Output of ${label}, ${size}` },
      })),
    ],
  };
}

function adviseNextStep(
  { id, finished, status, waiting_for: waiting = [] }: z.output<typeof runRecord>,
  reasons: number,
) {
  if (!finished && waiting.some(({ reason }) => reason === 'approval'))
    return 'The run waits for the decision of a person. Inform the user.';
  if (!finished) return `The run goes on. Call wait_for_run with run_id ${id} to wait longer.`;
  if (reasons > 0)
    return 'Read `failures`, and the log of an example with read_log. After a fix, use retry_run or run_workflow.';
  if (status === 'STOPPED')
    return 'The run was stopped. To go on with what it had not done, use retry_run; to begin again, use run_workflow.';
  if (status !== 'COMPLETED') return 'The run has ended without a result; `run.error` says why.';
  return 'Read outputs with read_output. If the workflow fills Live Tables, list_run_loads says when its rows are there.';
}
