import { z } from 'zod';
import { importWorkflow } from '@millrace/contracts/workflows/exchange';
import { validateWorkflowFile } from '@millrace/contracts/workflows/workflow-files';
import { uris } from '../../resources/uris.js';
import { defineTool } from '../tool.js';
import { fitProblems, problems, readProblems, yaml } from './saving-result.js';

export const createWorkflow = defineTool({
  name: 'create_workflow',
  title: 'Create a workflow from YAML',
  description:
    'Creates a workflow in a space (see `list_spaces`). First look for ready-made steps with `search_library`. If the workflow ' +
    'has problems with which it could never run, nothing is created: `created` is false, and `errors` names each problem with ' +
    'its line. Otherwise use `run_workflow` next; it refuses a workflow that has `errors`.',
  input: z.strictObject({
    space_id: z.string().min(1),
    yaml,
    name: z.string().min(1).max(255).optional().describe('Defaults to the name in the YAML'),
    project_id: z.string().min(1).optional(),
  }),
  output: z.object({
    created: z.boolean(),
    workflow_id: z.string().optional(),
    version_id: z.string().optional().describe('The `expected_version_id` of a change'),
    name: z.string().optional(),
    ...problems,
  }),
  run: async ({ client, signal }, { space_id: space, yaml: text, name, project_id: project }) => {
    try {
      const check = await client.call(validateWorkflowFile, { body: { space, yaml: text }, signal });
      const query = { space, ...(name !== undefined && { name }), ...(project !== undefined && { project }) };
      const created = await client
        .call(importWorkflow, { query, body: { yaml: text }, signal })
        .catch((error: unknown) => {
          // The problems of the check are the same, and have lines.
          if (readProblems(error) === null || check.errors.length === 0) throw error;
          return null;
        });
      const { errors, warnings } = check;
      if (created === null) return { content: fitProblems({ created: false, errors, warnings }) };
      const { id, latest_version_info: version } = created;
      return {
        content: fitProblems({
          ...{ created: true, workflow_id: id, name: created.name, errors, warnings },
          ...(version !== undefined && { version_id: version }),
        }),
        links: [{ uri: uris.workflow(id), name: created.name, mimeType: 'application/yaml' }],
      };
    } catch (error) {
      const errors = readProblems(error);
      if (errors === null) throw error;
      return { content: fitProblems({ created: false, errors, warnings: [] }) };
    }
  },
});
