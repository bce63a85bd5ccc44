import type { Command } from 'commander';
import type { RunPlan } from '@millrace/client';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import { EXIT, type CliContext } from '../cli-context.js';
import { describeProblem } from '../describe-problem.js';
import { formatTable } from '../format-table.js';
import { print, toJson, type PrintOptions } from '../print-records.js';
import { addCommand } from './command-group.js';
import { addTarget, prepareTarget, type TargetOptions } from './run-target.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['workflows.plan'];

export function addPlan(parent: Command, context: CliContext): void {
  const command = addCommand(parent, 'plan', 'show what a run would do, without starting it', [
    'run plan port-scan.yaml --input hosts=@hosts.txt',
  ]);
  addTarget(command).action(async (target: string, options: TargetOptions & { json?: boolean }) => {
    const { plan } = await prepareTarget(target, options, context, (line) => process.stderr.write(`${line}\n`));
    await printPlan(await plan(), options, context);
  });
}

/** Prints a plan. Sets the exit code if the run could not start. */
export async function printPlan(planned: RunPlan, { json }: PrintOptions, context: CliContext): Promise<void> {
  await print(json ? toJson(planned) : formatPlan(planned));
  if (!planned.can_start) context.exitCode = EXIT.usage;
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
