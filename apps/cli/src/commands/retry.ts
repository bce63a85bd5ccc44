import type { Command } from 'commander';
import { runs, subjobs } from '@millrace/sdk/resources';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { parseRunNumber } from './parse-number.js';

interface RetryOptions {
  node?: string[];
  subjob?: string[];
}

const collect = (value: string, former: string[] = []): string[] => [...former, value];

export function addRetry(program: Command, { env }: CliContext): void {
  program
    .command('retry')
    .description('run what failed again, in the same run, with everything that depends on it')
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('--node <name>', 'run all of this node again (repeatable)', collect)
    .option('--subjob <id>', 'run this subjob again, for example one child (repeatable)', collect)
    .action(async (run: string, { node, subjob }: RetryOptions) => {
      const client = await connect(env, program.opts());
      const body = { ...(node && { nodes: node }), ...(subjob && { children: subjob }) };
      const { status, run_insights: counts } = await client.call(runs.retryRun, { params: { id: run }, body });
      process.stdout.write(`Run ${run} ${status}: ${counts.pending} subjobs to run, ${counts.succeeded} succeeded\n`);
    });
}

export function addSkip(program: Command, { env }: CliContext): void {
  program
    .command('skip')
    .description('let a run go on without a subjob that failed')
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<subjob>', 'id of the subjob')
    .option('--comment <text>', 'why; part of its message')
    .action(async (run: string, subjob: string, { comment }: { comment?: string }) => {
      const client = await connect(env, program.opts());
      const params = { id: run, subjobId: subjob };
      const { status, message } = await client.call(subjobs.skipSubjob, {
        params,
        body: { ...(comment && { comment }) },
      });
      process.stdout.write(`Subjob ${subjob} ${status}${message ? `: ${message}` : ''}\n`);
    });
}
