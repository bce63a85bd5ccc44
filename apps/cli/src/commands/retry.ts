import type { Command } from 'commander';
import type { MillraceClient } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { notFound } from '../cli-error.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['runs.retry', 'failures.subjobs', 'subjobs.skip'];

interface RetryOptions {
  node?: string[];
  subjob?: string[];
  group?: string[];
  json?: boolean;
}

/** Subjobs that one request can name. */
const MAX_SUBJOBS = 10_000;

const collect = (value: string, former: string[] = []): string[] => [...former, value];

export function addRetry(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'retry', 'run what failed again, in the same run, with everything that depends on it', [
    'run retry 42',
    'run retry 42 --node scan-1',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('--node <name>', 'run all of this node again (repeatable)', collect)
    .option('--subjob <id>', 'run this subjob again, for example one child (repeatable)', collect)
    .option('--group <id>', 'run this group of `failures` again (repeatable)', collect)
    .action(async (run: string, options: RetryOptions) => {
      const client = await connect(env);
      const record = await retry(client, run, options);
      const { status, run_insights: counts } = record;
      const sentence = `Run ${run} ${status}: ${counts.pending} subjobs to run, ${counts.succeeded} succeeded`;
      await printDone(sentence, record, options);
    });
}

async function retry(client: MillraceClient, run: string, { node, subjob, group }: RetryOptions) {
  const params = { id: run };
  const chosen = [...(subjob ?? [])];
  for (const id of group ?? []) chosen.push(...(await listGroup(client, run, id)));
  const isLimited = subjob !== undefined || group !== undefined;
  const body = { ...(node && { nodes: node }), ...(isLimited && { children: chosen.slice(0, MAX_SUBJOBS) }) };
  let record = await client.runs.retry(params.id, body);
  // The first request starts the run again; the others add to it.
  for (let at = MAX_SUBJOBS; at < chosen.length; at += MAX_SUBJOBS) {
    const children = chosen.slice(at, at + MAX_SUBJOBS);
    record = await client.runs.retry(params.id, { children });
  }
  return record;
}

async function listGroup(client: MillraceClient, run: string, group: string): Promise<string[]> {
  const params = { id: run, group };
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { page_size: 1000, ...(cursor !== undefined && { cursor }) };
    const page = await client.failures.subjobs(params.id, params.group, query);
    found.push(...page.results.map(({ subjob }) => subjob));
    cursor = page.cursor;
  }
  if (found.length === 0) throw notFound(`Nothing of group ${group} is failed in run ${run} now.`);
  return found;
}

export function addSkip(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'skip', 'let a run go on without a subjob that failed', [
    'run skip 42 0192f0c1-7d2e-7a1b-9c3d-2f4e6a8b0c1d --comment "the host is gone"',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<subjob>', 'id of the subjob')
    .option('--comment <text>', 'why; part of its message')
    .action(async (run: string, subjob: string, { comment, json }: { comment?: string; json?: boolean }) => {
      const client = await connect(env);
      const params = { id: run, subjobId: subjob };
      const record = await client.subjobs.skip(params.id, params.subjobId, {
        ...(comment && { comment }),
      });
      const { status, message } = record;
      await printDone(`Subjob ${subjob} ${status}${message ? `: ${message}` : ''}`, record, { json });
    });
}
