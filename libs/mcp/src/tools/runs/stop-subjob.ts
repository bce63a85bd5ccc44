import { z } from 'zod';
import { stopSubjob } from '@millrace/contracts/runs/subjobs';
import { defineTool } from '../tool.js';
import { chooseSubjob, subjobFields } from './choose-subjob.js';

export const stopSubjobTool = defineTool({
  name: 'stop_subjob',
  title: 'Stop a step of a run, or one of its children',
  description:
    'Stops one node of a run, or with `task_index` one child of a split node, and the run goes on. Without `task_index`, all ' +
    'children of a split node are stopped. Nodes that depend on it are skipped. A subjob that has ended stays as it is. Use ' +
    '`stop_run` for a whole run, and `retry_run` to run it again.',
  input: z.strictObject(subjobFields),
  output: stopSubjob.response,
  isDestructive: true,
  isIdempotent: true,
  run: async (call, fields) => {
    const { id } = await chooseSubjob(call, fields);
    const params = { id: fields.run_id, subjobId: id };
    return { content: await call.client.call(stopSubjob, { params, signal: call.signal }) };
  },
});
