import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['approvals.approve', 'approvals.reject'];

const DECISIONS = [
  { name: 'approve', description: 'approve a step that waits for an approval' },
  { name: 'reject', description: 'reject a step that waits for an approval' },
] as const;

export function addApprove(parent: Command, { env }: CliContext): void {
  for (const { name, description } of DECISIONS) {
    addCommand(parent, name, description, [
      `run ${name} 42 0192f0c1-7d2e-7a1b-9c3d-2f4e6a8b0c1d --comment "checked by hand"`,
    ])
      .argument('<run>', 'number of the run', parseRunNumber)
      .argument('<subjob>', 'id of the subjob')
      .option('--comment <text>', 'why; for the audit log and the steps that follow')
      .action(async (run: string, subjob: string, { comment, json }: { comment?: string; json?: boolean }) => {
        const client = await connect(env);
        const record = await client.approvals[name](run, subjob, { ...(comment && { comment }) });
        await printDone(`${record.label} ${record.approval?.state ?? record.status}`, record, { json });
      });
  }
}
