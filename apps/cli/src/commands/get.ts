import type { Command } from 'commander';
import type { Run } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { confirm } from '../confirm.js';
import { type Fields, formatTime, printDone, printRecord } from '../print-records.js';
import { watchRun } from '../watch/watch-run.js';
import { addCommand } from './command-group.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['runs.get', 'runs.events', 'runs.stop', 'runs.delete', 'subjobs.list', 'subjobs.get'];

const FIELDS: Fields<Run> = {
  RUN: ({ id }) => id,
  STATUS: ({ status, paused }) => (paused ? `${status}, paused` : status),
  WORKFLOW: (run) => run.workflow_name,
  NAME: ({ name }) => name,
  DONE: ({ run_insights: counts }) => `${counts.succeeded}/${counts.total}`,
  FAILED: ({ run_insights: counts }) => counts.failed || '',
  CREATED: (run) => formatTime(run.created_date),
  ERROR: ({ error }) => error,
};

interface Options {
  json?: boolean;
  watch?: boolean;
  output?: string;
  yes?: boolean;
}

/** Shows a run, or deletes it. */
export function addGet(parent: Command, context: CliContext): void {
  addCommand(parent, 'get', 'show a run', ['run get 42', 'run get 42 --watch', 'run get 42 --json'])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('-w, --watch', 'show the run until it ends, then download its named outputs')
    .option('-o, --output <dir>', 'with --watch: folder for the outputs')
    .action(async (id: string, { json = false, watch, output }: Options) => {
      const client = await connect(context.env);
      const run = await client.runs.get(id);
      if (!watch) return printRecord(run, FIELDS, { json });
      const screen = json ? process.stderr : process.stdout;
      context.exitCode = await watchRun(client, run, {
        folder: output,
        screen,
        json,
        hasCursor: context.env.hasCursor,
      });
    });
  addCommand(parent, 'delete', 'delete a run that has ended, with its outputs', ['run delete 42 --yes'])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('-y, --yes', 'do not ask')
    .action(async (run: string, { json, yes }: Options) => {
      const client = await connect(context.env);
      await confirm(`Delete run ${run} with its outputs?`, yes);
      await client.runs.delete(run);
      await printDone(`Deleted run ${run}.`, { id: run, deleted: true }, { json });
    });
}
