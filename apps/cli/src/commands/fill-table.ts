import type { Load, MillraceClient, ReportingNode } from '@millrace/client';
import { EXIT } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { pickDefined } from '../pick-defined.js';
import { polls } from '../polls.js';
import { type Fields, formatTime, printDone, printList } from '../print-records.js';
import { findOnly, findTable, findWorkflow } from '../resolve-names.js';
import { findSpaceOrDefault } from './choose-space.js';
import type { CommandGroup } from './command-group.js';
import { parseNames } from './parse-names.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  ...['solutions.list', 'solutions.create', 'solutions.delete', 'datasets.create', 'reportingNodes.create', 'runs.get'],
  'loads.list',
];

/** A load begins when the service of the tables is notified of the end of its run. */
const MAX_START_DELAY_MS = 30_000;

const LOADS: Fields<Load> = {
  LOAD: ({ id }) => id,
  STATUS: ({ status }) => status,
  RUN: ({ run }) => run ?? 'upload',
  READ: (load) => load.rows_read,
  NEW: (load) => load.rows_new,
  CHANGED: (load) => load.rows_changed,
  GONE: (load) => load.rows_gone,
  REJECTED: (load) => load.rows_rejected || '',
  CREATED: (load) => formatTime(load.created_date),
  ERROR: ({ error }) => error,
};

interface Options {
  json?: boolean;
  solution?: string;
  space?: string;
  primaryKey?: string[];
  description?: string;
  wait?: boolean;
  run?: string;
}

/** Commands that create Live Tables and fill them from runs. */
export function addFilling(group: CommandGroup): void {
  group
    .add('create', 'create a Live Table', [
      'table create hosts --primary-key ip',
      'table create ports --solution hosts --primary-key ip,port',
    ])
    .argument('<name>', 'name of the table')
    .option('--solution <solution>', 'solution (database) of the table, created if there is none (default: the name)')
    .option('--space <space>', 'space of a new solution (default: the playground)')
    .option(
      '--primary-key <columns>',
      'columns that identify a row, separated by commas; else each row is new',
      parseNames,
    )
    .option('--description <text>', 'what the table is for')
    .action(async (name: string, { json, primaryKey, description, ...place }: Options) => {
      const client = await group.connect();
      const { solution, isNew } = await findOrCreateSolution(client, place.solution ?? name, place.space);
      const body = pickDefined({ name, solution, primary_key: primaryKey, description });
      const table = await client.datasets.create(body).catch(async (error: unknown) => {
        if (isNew) await client.solutions.delete(solution).catch(() => undefined);
        throw error;
      });
      await printDone(`Created the Live Table "${name}" (${table.id}).`, table, { json });
    });
  group
    .add('fill', 'load an output of every later run of a workflow into a Live Table', [
      'table fill hosts --workflow "Port scan" --node report-1',
    ])
    .argument('<table>', 'id or name of the Live Table')
    .requiredOption('--workflow <workflow>', 'id or name of the workflow')
    .requiredOption('--node <node>', 'name of the node in the workflow')
    .option('--output <path>', 'file in the outputs of the node (default: output.txt)')
    .action(async (name: string, options: Options & { workflow: string; node: string; output?: string }) => {
      const client = await group.connect();
      const [table, workflow] = [await findTable(client, name), await findWorkflow(client, options.workflow)];
      const bound: ReportingNode = await client.reportingNodes.create(
        pickDefined({ dataset_id: table, workflow, node_name: options.node, output_name: options.output }),
      );
      const sentence = `Runs of "${options.workflow}" load ${bound.output_name} of ${bound.node_name} into "${name}".`;
      await printDone(sentence, bound, options);
    });
  group
    .add('loads', 'list what was loaded into a Live Table', ['table loads hosts', 'table loads hosts --run 42 --wait'])
    .argument('<table>', 'id or name of the Live Table')
    .option('--run <run>', 'only loads from this run', parseRunNumber)
    .option('--wait', 'wait until the rows of the run are in the table; needs --run')
    .action(async (name: string, { json, run, wait }: Options) => {
      if (wait && run === undefined) throw new CliError('Use --wait with the number of a run: --run <run>.');
      const client = await group.connect();
      const table = await findTable(client, name);
      if (wait && run !== undefined) await waitForRun(client, table, run);
      await printList(client.loads.list(table, pickDefined({ run })), LOADS, { json, empty: 'No loads.' });
    });
}

async function findOrCreateSolution(
  client: MillraceClient,
  name: string,
  place: string | undefined,
): Promise<{ solution: string; isNew: boolean }> {
  try {
    const solution = await findOnly('solution', name, { records: () => client.solutions.list({ search: name }) });
    return { solution, isNew: false };
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error;
    const { id } = await client.solutions.create({ name, space: await findSpaceOrDefault(client, place) });
    return { solution: id, isNew: true };
  }
}

/** A run that was repaired is loaded again. @param loads the newest first @returns the newest of each output */
const takeNewest = (loads: readonly Load[]): Load[] => [
  ...new Map(loads.toReversed().map((load) => [JSON.stringify([load.node, load.output_name]), load])).values(),
];

/** Waits until everything that a run loads into a table has ended. @throws CliError if a load failed, or there is none */
async function waitForRun(client: MillraceClient, table: string, run: string): Promise<void> {
  const deadline = Date.now() + MAX_START_DELAY_MS;
  for await (const _ of polls()) {
    const { finished } = await client.runs.get(run);
    const loads = takeNewest(await client.loads.list(table, { run, ordering: '-id' }).toArray());
    const failed = loads.find(({ status }) => status === 'FAILED');
    if (failed) throw new CliError(`Load ${failed.id} failed: ${failed.error ?? 'unknown reason'}`);
    if (finished && loads.length > 0 && loads.every(({ status }) => status === 'COMPLETED')) return;
    if (loads.length === 0 && finished && Date.now() > deadline)
      throw notFound(`Run ${run} has loaded nothing into the table.`);
  }
}
