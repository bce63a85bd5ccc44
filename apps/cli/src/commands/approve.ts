import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { parseRunNumber } from './parse-number.js';

const DECISIONS = [
  { name: 'approve', description: 'approve a step that waits for an approval' },
  { name: 'reject', description: 'reject a step that waits for an approval' },
] as const;

export function addApprove(program: Command, { env }: CliContext): void {
  for (const { name, description } of DECISIONS) {
    program
      .command(name)
      .description(description)
      .argument('<run>', 'number of the run', parseRunNumber)
      .argument('<subjob>', 'id of the subjob')
      .option('--comment <text>', 'why; for the audit log and the steps that follow')
      .action(async (run: string, subjob: string, { comment }: { comment?: string }) => {
        const client = await connect(env, program.opts());
        const record = await client.approvals[name](run, subjob, { ...(comment && { comment }) });
        process.stdout.write(`${record.label} ${record.approval?.state ?? record.status}\n`);
      });
  }
}
