import type { Command } from 'commander';
import type { FailureGroup } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { formatTable } from '../format-table.js';
import { addCommand } from './command-group.js';
import { parseCountUpTo, parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['failures.list'];

/** The largest page of the server. */
const MAX_GROUPS = 1000;
const MAX_CELL = 60;

interface Options {
  node?: string;
  number: number;
  json?: boolean;
}

export function addFailures(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'failures', 'list what failed in a run, grouped by reason, the largest group first', [
    'run failures 42',
    'run failures 42 --node scan-1 --json',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('--node <name>', 'only this node, or all nodes of this module')
    .option('-n, --number <n>', 'number of groups', parseCountUpTo(MAX_GROUPS), 20)
    .action(async (run: string, { node, number, json }: Options) => {
      const client = await connect(env);
      const query = { page_size: number, ...(node !== undefined && { node }) };
      const { results, count, failed } = await client.failures.list(run, query);
      process.stdout.write(
        json ? `${JSON.stringify(results, null, 2)}\n` : formatFailures(run, { groups: results, count, failed }),
      );
    });
}

/** Formats groups of failed subjobs as a table, with the first child of each as an example. */
export function formatFailures(
  run: string,
  { groups, count, failed }: { groups: readonly FailureGroup[]; count: number; failed: number },
): string {
  if (groups.length === 0) return `Nothing failed in run ${run}.\n`;
  const rows = groups.map(({ id, node, reason, examples: [example], ...group }) => [
    ...[id, `${group.count}/${group.children}`, node, cut(reason)],
    example?.item === undefined
      ? example?.task_index === undefined
        ? ''
        : `#${example.task_index}`
      : cut(example.item),
  ]);
  const more = count > groups.length ? `${count - groups.length} more groups; list them with --number\n` : '';
  const [largest] = groups;
  return (
    `${failed} failed, ${count} ${count === 1 ? 'reason' : 'reasons'}\n` +
    `${formatTable(['GROUP', 'FAILED', 'NODE', 'REASON', 'EXAMPLE'], rows)}${more}` +
    `Run a group again: millrace retry ${run} --group ${largest?.id}\n`
  );
}

const cut = (text: string): string =>
  text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1).toWellFormed()}…` : text;
