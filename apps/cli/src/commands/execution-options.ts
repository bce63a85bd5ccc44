import type { Command } from 'commander';
import type { WorkflowsRunBody } from '@millrace/client';
import { parseCountUpTo } from './parse-number.js';

/** What a run executes, and how: the same for a run and for a dry run. */
export interface ExecutionOptions {
  parallelism?: number;
  /** From `--cache` and `--no-cache`; absent: each node decides. */
  cache?: boolean;
  from?: string[];
  until?: string[];
  reuse?: string;
}

export const addExecutionOptions = (command: Command): Command =>
  command
    .option('-p, --parallelism <n>', 'maximum number of subjobs that run at the same time', parseCountUpTo(10_000))
    .option('--cache', 'reuse earlier results for all nodes (default: for nodes with `cache: true`)')
    .option('--no-cache', 'execute all nodes, and reuse no earlier results')
    .option('--reuse <run>', 'take over the results of an earlier run that have not changed')
    .option('--from <node...>', 'execute only these nodes and all that depends on them; needs --reuse')
    .option('--until <node...>', 'execute only these nodes and everything that they depend on');

/** The part of the request to start or plan a run that these options determine. */
export type ExecutionSettings = Pick<WorkflowsRunBody, 'parallelism' | 'use_cache' | 'reuse_run' | 'part'>;

export const toSettings = ({ parallelism, cache, reuse, from, until }: ExecutionOptions): ExecutionSettings => ({
  ...(parallelism !== undefined && { parallelism }),
  ...(cache !== undefined && { use_cache: cache }),
  ...(reuse !== undefined && { reuse_run: reuse }),
  ...((from ?? until) && { part: { from: from ?? [], until: until ?? [] } }),
});
