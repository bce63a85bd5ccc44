import type { Command } from 'commander';
import type { MillraceClient, RunPlan } from '@millrace/client';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import { connect } from '../account/connect.js';
import { EXIT, type CliContext } from '../cli-context.js';
import { describeProblem } from '../describe-problem.js';
import { prepareRun } from '../files/start-run.js';
import { VersionsFile } from '../files/versions-file.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import { formatTable } from '../format-table.js';
import { isId } from '../resolve-names.js';
import { chooseSpace } from './choose-space.js';
import { collectInputs } from './collect-assignments.js';
import { addCommand } from './command-group.js';
import { addExecutionOptions, toSettings, type ExecutionOptions } from './execution-options.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['workflows.plan'];

interface PlanOptions extends ExecutionOptions {
  set: Record<string, string>;
  space?: string;
  force?: boolean;
  json?: boolean;
}

export function addPlan(parent: Command, context: CliContext): void {
  const command = addCommand(parent, 'plan', 'show what a run would do, without starting it', [
    'run plan port-scan.yaml --set hosts=hosts.txt',
  ])
    .argument('<file-or-workflow>', 'workflow file in YAML, which is saved on the server, or the id of a workflow')
    .option(
      '-s, --set <input=value>',
      'set an input to a value or, for a file, a local file; can be repeated',
      collectInputs,
      {},
    );
  addExecutionOptions(command)
    .option('--space <name>', 'space of the workflow of a file (default: the playground)')
    .option('--force', 'overwrite the version on the server even if another user saved it')
    .action(async (target: string, options: PlanOptions) => {
      const client = await connect(context.env);
      const { workflow, body } = await readRequest(client, target, options, context);
      const planned = await client.workflows.plan(workflow, body);
      process.stdout.write(options.json ? `${JSON.stringify(planned, null, 2)}\n` : formatPlan(planned));
      if (!planned.can_start) context.exitCode = EXIT.usage;
    });
}

async function readRequest(client: MillraceClient, target: string, options: PlanOptions, { env }: CliContext) {
  const { set, force = false } = options;
  const settings = toSettings(options);
  if (isId(target)) return { workflow: target, body: { inputs: set, ...settings } };
  const file = await readWorkflowFile(target);
  const note = (line: string) => process.stderr.write(`${line}\n`);
  return prepareRun(client, {
    ...{ space: await chooseSpace(client, options.space), file, set, note, warn: note, force },
    versionsFile: new VersionsFile(env.versionsFile),
    settings,
  });
}

/** Formats a plan: its problems, its steps, and the estimate of the whole run. */
export function formatPlan({
  problems,
  can_start: canStart,
  steps,
  steps_omitted: omitted,
  estimate,
}: RunPlan): string {
  const lines = problems.map(
    (problem) => `${problem.severity === 'error' ? 'Error' : 'Warning'}: ${describeProblem(problem)}\n`,
  );
  const rows = steps.map(({ node, type, children, cache, estimate: known }) => [
    ...[node, type, children === null ? '?' : String(children), describeCache(cache)],
    ...(known
      ? [formatDuration(known.duration_ms), String(known.execution_units), String(known.runs)]
      : ['?', '?', '0']),
  ]);
  return [
    ...lines,
    rows.length > 0 ? formatTable(['NODE', 'TYPE', 'CHILDREN', 'CACHE', 'TOOK', 'UNITS', 'RUNS'], rows) : '',
    omitted > 0 ? `${omitted} more steps\n` : '',
    describeEstimate(estimate),
    canStart ? '' : 'The run cannot start.\n',
  ].join('');
}

const describeCache = ({ result, hits }: RunPlan['steps'][number]['cache']): string =>
  hits === undefined ? result : `${result} (${hits})`;

function describeEstimate({ duration_ms: ms, execution_units: units, without_estimate: without }: RunPlan['estimate']) {
  if (ms !== null && units !== null) return `The run takes about ${formatDuration(ms)} and costs ${units} units.\n`;
  return without.length > 0 ? `No estimate, because no earlier run has executed ${without.join(', ')}.\n` : '';
}
