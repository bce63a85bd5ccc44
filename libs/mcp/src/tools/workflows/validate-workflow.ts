import { z } from 'zod';
import { validateWorkflowFile } from '@millrace/contracts/workflows/workflow-files';
import { ToolError } from '../tool-error.js';
import { defineTool } from '../tool.js';
import { fitProblems, problems, readProblems, yaml } from './saving-result.js';

export const validateWorkflow = defineTool({
  name: 'validate_workflow',
  title: 'Validate a workflow',
  description:
    'Lists the problems of a workflow with their lines, and changes nothing. Use it before `create_workflow` (with `space_id`) or ' +
    '`save_workflow` (with `workflow_id`). Fix all `errors`: a run refuses them.',
  input: z.strictObject({
    yaml,
    workflow_id: z.string().min(1).optional().describe('The workflow that the file is meant for'),
    space_id: z.string().min(1).optional().describe('For a new workflow: the space in which it will be'),
  }),
  output: z.object({ name: z.string().optional().describe('Name of the workflow in the file'), ...problems }),
  isReadOnly: true,
  run: async ({ client, signal }, { yaml: text, workflow_id: workflow, space_id: space }) => {
    if ((workflow === undefined) === (space === undefined)) {
      throw new ToolError('validation_error', 'The arguments are not valid.', {
        workflow_id: 'must be given, or `space_id`, but not both',
      });
    }
    const body = { yaml: text, ...(workflow === undefined ? { space } : { workflow }) };
    try {
      return { content: fitProblems(await client.call(validateWorkflowFile, { body, signal })) };
    } catch (error) {
      const errors = readProblems(error);
      if (errors === null) throw error;
      return { content: fitProblems({ errors, warnings: [] }) };
    }
  },
});
