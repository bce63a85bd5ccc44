import { InvalidArgumentError, type Command } from 'commander';
import type { MillraceClient, Subjob } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseNames } from './parse-names.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['runs.stop', 'subjobs.list', 'subjobs.children', 'subjobs.stop'];

interface Options {
  nodes?: string[];
  child?: NumberRange[];
  json?: boolean;
}

interface NumberRange {
  first: number;
  last: number;
}

export function addStop(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'stop', 'stop a run, or some of its nodes', [
    'run stop 42',
    'run stop 42 --nodes scan-1,resolve-1',
    'run stop 42 --nodes scan-1 --child 1,3-7',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('--nodes <names>', 'stop only these nodes, separated by commas; the run goes on', parseNames)
    .option('--child <list>', 'with one node: stop only these children, such as 2,5-7', parseRanges)
    .action(async (run: string, { nodes, child, json }: Options) => {
      if (child !== undefined && nodes?.length !== 1) throw new CliError('Use --child with one node: --nodes <name>.');
      const client = await connect(env);
      if (nodes === undefined) {
        const record = await client.runs.stop(run);
        return printDone(`Run ${run} ${record.status}`, record, { json });
      }
      const chosen = await chooseSubjobs(client, run, nodes, child);
      const stopped: Subjob[] = [];
      for (const { id } of chosen) stopped.push(await client.subjobs.stop(run, id));
      const lines = stopped.map(({ node, task_index: index, status }) =>
        index ? `${node} #${index} ${status}` : `${node} ${status}`,
      );
      await printDone(lines.join('\n'), stopped, { json });
    });
}

async function chooseSubjobs(
  client: MillraceClient,
  run: string,
  nodes: readonly string[],
  ranges: NumberRange[] | undefined,
): Promise<Subjob[]> {
  const chosen: Subjob[] = [];
  for (const node of nodes) {
    const { results } = await client.subjobs.list(run, { node, page_size: 10 });
    const found = results.filter((subjob) => subjob.node === node);
    // A node that distributes its own input has two subjobs with its name. The user means the one with children.
    const subjob = found.find(({ task_count: count }) => count !== undefined) ?? found.at(-1);
    if (!subjob) throw notFound(`Run ${run} has no node "${node}".`);
    chosen.push(...(ranges === undefined ? [subjob] : await listChildren(client, run, subjob, ranges)));
  }
  return chosen;
}

async function listChildren(
  client: MillraceClient,
  run: string,
  { id, node }: Subjob,
  ranges: NumberRange[],
): Promise<Subjob[]> {
  const end = Math.max(...ranges.map(({ last }) => last));
  const found: Subjob[] = [];
  for await (const child of client.subjobs.children(run, id, { ordering: 'task_index' })) {
    const index = child.task_index ?? 0;
    if (index > end) break;
    if (ranges.some(({ first, last }) => index >= first && index <= last)) found.push(child);
  }
  if (found.length === 0) {
    const children = ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(',');
    throw notFound(`Node "${node}" of run ${run} has no child ${children}.`);
  }
  return found;
}

/** Parses a list such as `2,5-7`. @throws InvalidArgumentError, which names the option */
export const parseRanges = (text: string): NumberRange[] => text.split(',').map(parseRange);

/** Parses `3` or `3-7`. */
function parseRange(text: string): NumberRange {
  const [, from, to] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(text) ?? [];
  const range = { first: Number(from), last: Number(to ?? from) };
  if (from === undefined || range.last < range.first)
    throw new InvalidArgumentError('Use a number from 1, or a range such as 3-7, separated by commas.');
  return range;
}
