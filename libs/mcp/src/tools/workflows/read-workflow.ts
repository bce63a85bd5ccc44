import { z } from 'zod';
import { exportWorkflow } from '@millrace/contracts/workflows/exchange';
import { schedule } from '@millrace/contracts/workflows/schedules';
import { getWorkflow } from '@millrace/contracts/workflows/workflows';
import { uris } from '../../resources/uris.js';
import { defineTool } from '../tool.js';

const MAX_CHARACTERS = 60_000;

export const readWorkflow = defineTool({
  name: 'read_workflow',
  title: 'Read a workflow as YAML',
  description:
    'Returns a workflow as a YAML file: its inputs (`primitiveNodes`), steps (`nodes`) and connections. To change it, edit the ' +
    'YAML and pass it to `save_workflow` with the `version_id` of this result as `expected_version_id`. The format is described ' +
    'by `read_docs` with the page `reference/workflow-data.md`. A long file is returned in parts: read on with `next_offset`.',
  input: z.strictObject({
    workflow_id: z.string().min(1),
    version_id: z.string().min(1).default('latest').describe('A version of `list_workflow_versions`'),
    offset: z.int().min(0).default(0).describe('Character at which the part begins'),
  }),
  output: z.object({
    workflow_id: z.string(),
    name: z.string(),
    space_id: z.string(),
    version_id: z.string().nullable().describe('Null if the workflow has no version yet; `yaml` is then empty'),
    yaml: z.string(),
    next_offset: z.int().nullable().describe('Null if the YAML is complete'),
    total_characters: z.int(),
    executing: z.boolean().describe('Whether a run is unfinished'),
    last_execution_status: z.string().optional(),
    schedule: schedule.nullable(),
  }),
  isReadOnly: true,
  run: async ({ client, signal }, { workflow_id: id, version_id: requested, offset }) => {
    const workflow = await client.call(getWorkflow, { params: { id }, signal });
    const latest = workflow.latest_version_info ?? null;
    const version = requested === 'latest' ? latest : requested;
    let text = '';
    if (version !== null) {
      const query = { version, form: 'compact' } as const;
      const response = await client.send(exportWorkflow, { params: { id }, query, signal }, { accept: '*/*' });
      text = await response.text();
    }
    const end = Math.min(text.length, offset + MAX_CHARACTERS);
    return {
      content: {
        workflow_id: workflow.id,
        name: workflow.name,
        space_id: workflow.space_info,
        version_id: version,
        yaml: text.slice(offset, end),
        next_offset: end < text.length ? end : null,
        total_characters: text.length,
        executing: workflow.executing,
        ...(workflow.last_execution_status !== undefined && { last_execution_status: workflow.last_execution_status }),
        schedule: workflow.schedule_info,
      },
      links: [{ uri: uris.workflow(workflow.id), name: workflow.name, mimeType: 'application/yaml' }],
    };
  },
});
