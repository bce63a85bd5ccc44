import type { MillraceClient } from '@millrace/sdk/client';
import { workflows } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';
import { describeProblem } from '../describe-problem.js';
import type { SyncedWorkflow } from './sync-workflow.js';

/**
 * Says what validation finds in a version that is about to run: warnings go to `warn`, one line each.
 * @throws CliError that lists what keeps it from running; a save lets pass what a draft may lack
 */
export async function reportProblems(
  client: MillraceClient,
  { workflow, version }: SyncedWorkflow,
  warn: (line: string) => void,
): Promise<void> {
  const request = { params: { id: workflow }, body: { version_id: version } };
  const { errors, warnings } = await client.call(workflows.validateWorkflow, request);
  for (const warning of warnings) warn(`Warning: ${describeProblem(warning)}`);
  if (errors.length === 0) return;
  const lines = errors.map((error) => `  - ${describeProblem(error)}`);
  throw new CliError(`The workflow was saved but cannot run:\n${lines.join('\n')}`);
}
