import type { Command } from 'commander';
import type { Run } from '@millrace/client';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { formatTable } from '../format-table.js';
import { addCommand } from './command-group.js';
import { parseCountUpTo } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['runs.list'];

/** The largest page of the server. */
const MAX_RUNS = 1000;

export function addRuns(program: Command, { env }: CliContext): void {
  addCommand(program, 'runs', 'list the newest runs', ['runs', 'runs --number 100 --json'])
    .option('-n, --number <n>', 'number of runs', parseCountUpTo(MAX_RUNS), 20)
    .action(async ({ number, json }: { number: number; json?: boolean }) => {
      const client = await connect(env);
      const { results } = await client.runs.list({ page_size: number });
      process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : formatRuns(results));
    });
}

/** Formats runs as a table with one line per run. */
export function formatRuns(list: Run[]): string {
  if (list.length === 0) return 'No runs yet. Start one: millrace run <file.yaml> --watch\n';
  const rows = list.map((run) => [
    run.id,
    run.status,
    run.workflow_name,
    `${run.run_insights.succeeded}/${run.run_insights.total}`,
    run.duration_ms === undefined ? '' : formatDuration(run.duration_ms),
    run.created_date.slice(0, 19).replace('T', ' '),
  ]);
  return formatTable(['RUN', 'STATUS', 'WORKFLOW', 'DONE', 'TOOK', 'CREATED'], rows);
}
