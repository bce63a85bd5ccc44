import type { Command } from 'commander';
import type { CacheExplanation, MillraceClient, Subjob } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { formatTable } from '../format-table.js';
import { printDone } from '../print-records.js';
import { findWorkflow } from '../resolve-names.js';
import { chooseSpace } from './choose-space.js';
import { addCommand, CommandGroup } from './command-group.js';
import { parseCount, parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'cache.explain',
  'cache.clearSpace',
  'cache.clearWorkflow',
  'subjobs.list',
  'subjobs.children',
];

/** Commands about cached results. */
export function addCache(program: Command, context: CliContext): void {
  const { parent: cache } = new CommandGroup(program, context, 'cache', 'explain and remove cached results');
  cache.addHelpText('after', '\nExample:\n  millrace cache explain 42 scan-1');
  addExplain(cache, context);
  addClear(cache, context);
}

function addExplain(cache: Command, { env }: CliContext): void {
  addCommand(cache, 'explain', 'show whether a node reused an earlier result, and what differed if not', [
    'cache explain 42 scan-1',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<node>', 'name of the node')
    .option('--child <n>', 'number of the child, if the node is split; starts at 1', parseCount)
    .action(async (run: string, node: string, { child, json }: { child?: number; json?: boolean }) => {
      const client = await connect(env);
      const { id: subjobId } = await findSubjob(client, run, node, child);
      const explanation = await client.cache.explain(run, subjobId);
      process.stdout.write(json ? `${JSON.stringify(explanation, null, 2)}\n` : formatExplanation(explanation));
    });
}

async function findSubjob(
  client: MillraceClient,
  run: string,
  node: string,
  child: number | undefined,
): Promise<Subjob> {
  const { results } = await client.subjobs.list(run, { node, page_size: 1000 });
  const found = results.find((subjob) => subjob.node === node);
  if (!found) throw notFound(`Run ${run} has no node "${node}".`);
  if (child === undefined) return found;
  // Children are numbered from 1 without gaps, so the number is also the number of a page with one child.
  const query = { page: child, page_size: 1, ordering: 'task_index' };
  const children = await client.subjobs.children(run, found.id, query);
  const [chosen] = children.results;
  if (!chosen) throw notFound(`Node "${node}" of run ${run} has no child ${child}; it has ${children.count}.`);
  return chosen;
}

/** Formats an explanation: the result in a sentence, then the parts of the key beside those of the nearest subjob. */
export function formatExplanation({ result, message, parts, nearest, children }: CacheExplanation): string {
  const others = new Map(nearest?.different.map(({ name, digest }) => [name, digest]));
  const rows = parts.map(({ name, digest }) => [
    name,
    digest,
    ...(nearest ? [others.has(name) ? `differs: ${others.get(name)}` : 'equal'] : []),
  ]);
  const counts = children && `${children.hit} hits, ${children.miss} misses, ${children.not_used} without the cache\n`;
  return [
    `${result === 'not_used' ? 'not used' : result}: ${message}\n`,
    counts ?? '',
    rows.length > 0 ? formatTable(['PART', 'DIGEST', ...(nearest ? [`RUN ${nearest.run}`] : [])], rows) : '',
    nearest && nearest.inputs.length > 0 ? `Inputs that differ: ${nearest.inputs.join(', ')}\n` : '',
  ].join('');
}

function addClear(cache: Command, { env }: CliContext): void {
  addCommand(cache, 'clear', 'remove the cached results of a workflow, of one node of it, or of a space', [
    'cache clear "port scan" --node scan-1',
    'cache clear --space Playground',
  ])
    .argument('[workflow]', 'id or name of the workflow')
    .option('--node <name>', 'only this node, or all nodes of this module')
    .option('--space <name>', 'all workflows of this space')
    .action(
      async (
        workflow: string | undefined,
        { node, space, json }: { node?: string; space?: string; json?: boolean },
      ) => {
        if ((workflow === undefined) === (space === undefined)) throw new CliError('Name a workflow, or use --space.');
        if (workflow === undefined && node !== undefined) throw new CliError('--node needs a workflow.');
        const client = await connect(env);
        const removed = await clear(client, { workflow, node, space });
        await printDone(`${removed} cached ${removed === 1 ? 'result' : 'results'} removed`, { removed }, { json });
      },
    );
}

interface Selection {
  workflow: string | undefined;
  node: string | undefined;
  space: string | undefined;
}

async function clear(client: MillraceClient, { workflow, node, space }: Selection): Promise<number> {
  const id = workflow === undefined ? await chooseSpace(client, space) : await findWorkflow(client, workflow);
  let all = 0;
  // One request removes as many results as it can within its time.
  for (;;) {
    const { removed, complete } =
      workflow === undefined
        ? await client.cache.clearSpace(id)
        : await client.cache.clearWorkflow(id, { ...(node !== undefined && { node }) });
    all += removed;
    if (complete) return all;
  }
}
