import { z } from 'zod';
import type { MillraceClient } from '@millrace/client';
import { MillraceError } from '@millrace/client';
import { saveWorkflowFile } from '@millrace/contracts/workflows/workflow-files';
import { getWorkflow } from '@millrace/contracts/workflows/workflows';
import { defineTool } from '../tool.js';
import { fitProblems, problems, readProblems, yaml } from './saving-result.js';

export const saveWorkflow = defineTool({
  name: 'save_workflow',
  title: 'Save a changed workflow from YAML',
  description:
    'Saves a new version of a workflow. Pass the whole YAML of `read_workflow` with your changes, and its `version_id` as ' +
    '`expected_version_id`. If another version was saved since, nothing is saved and `conflict` has its id: read the workflow ' +
    'again, apply your changes to it, and save that. If the workflow could never run, `saved` is false, and `errors` names ' +
    'each problem with its line. Earlier versions remain.',
  input: z.strictObject({
    workflow_id: z.string().min(1),
    yaml,
    expected_version_id: z
      .string()
      .min(1)
      .nullable()
      .describe('The version that you have changed; null only for a workflow without a version'),
    version_name: z.string().max(500).optional(),
  }),
  output: z.object({
    saved: z.boolean(),
    version_id: z.string().optional(),
    version_number: z.int().optional(),
    conflict: z
      .object({ latest_version_id: z.string().nullable(), message: z.string() })
      .optional()
      .describe('Another version was saved since `expected_version_id`'),
    ...problems,
  }),
  isIdempotent: true,
  run: async (
    { client, signal },
    { workflow_id: id, yaml: text, expected_version_id: expected, version_name: name },
  ) => {
    try {
      if (expected === null) await requireNoVersion(client, id, signal);
      const body = {
        yaml: text,
        ...(expected !== null && { expected_version_id: expected }),
        ...(name !== undefined && { name }),
      };
      const saved = await client.call(saveWorkflowFile, { params: { id }, body, signal });
      const { errors, warnings } = saved;
      const version = { version_id: saved.id, version_number: saved.number };
      return { content: fitProblems({ saved: true, ...version, errors, warnings }) };
    } catch (error) {
      const errors = readProblems(error);
      if (errors !== null) return { content: fitProblems({ saved: false, errors, warnings: [] }) };
      if (!(error instanceof MillraceError) || error.code !== 'version_conflict') throw error;
      const latest = error.details?.['latest_version_id'];
      const conflict = { latest_version_id: typeof latest === 'string' ? latest : null, message: error.message };
      return { content: { saved: false, conflict, errors: [], warnings: [] } };
    }
  },
});

/** A save without an expected version would overwrite any. */
async function requireNoVersion(client: MillraceClient, id: string, signal: AbortSignal): Promise<void> {
  const { latest_version_info: latest } = await client.call(getWorkflow, { params: { id }, signal });
  if (latest === undefined) return;
  const message = 'The workflow has a version. Read it with `read_workflow`, and pass its `version_id`.';
  throw new MillraceError(409, 'version_conflict', message, { latest_version_id: latest }, undefined);
}
