import type { Command } from 'commander';
import { findNearest } from '@millrace/graph/names/suggest-name';
import { EXIT, type CliContext } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { reportInCi } from '../watch/report-in-ci.js';
import { watchRun } from '../watch/watch-run.js';
import { addApprove } from './approve.js';
import { addCommand } from './command-group.js';
import { addCompare } from './compare.js';
import { addControl } from './control.js';
import { addFailures } from './failures.js';
import { addGet } from './get.js';
import { addLogs } from './logs.js';
import { addOutput } from './output.js';
import { addPlan, printPlan } from './plan.js';
import { addRetry, addSkip } from './retry.js';
import { addTarget, prepareTarget, type TargetOptions } from './run-target.js';
import { addSet } from './set.js';
import { addStop } from './stop.js';

/** The operations of the API that this command uses, as methods of the client. Its subcommands have lists of their own. */
export const OPERATIONS = [
  ...[
    'workflows.run',
    'workflows.plan',
    'workflows.validate',
    'workflows.create',
    'workflows.update',
    'versions.saveFile',
  ],
  ...['runs.events', 'runs.get', 'runs.stop', 'subjobs.list', 'subjobs.get', 'files.upload', 'modules.get'],
];

interface RunOptions extends TargetOptions {
  watch?: boolean;
  output?: string;
  download?: string;
  ci?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function addRun(program: Command, context: CliContext): void {
  const command = addCommand(program, 'run', 'run a workflow: a file, or one on the server; or act on a run', [
    'run port-scan.yaml --watch',
    'run port-scan.yaml --input hosts=@hosts.txt --set scan-1.rate=100 --download results',
    'run "port scan" --input hosts=millrace://file/hosts.txt --ci',
    'run stop 42',
  ])
    // So that the arguments of a mistyped subcommand lead to a suggestion.
    .allowExcessArguments()
    .option('-w, --watch', 'show the run until it ends, then download its named outputs')
    .option(
      '-o, --output <dir>',
      'folder for the outputs (default: <space>/<project>/<workflow>/run-<time>-<run>); implies --watch',
    )
    .option('--download <dir>', 'the same as --output')
    .option('--ci', 'watch in lines without cursor movement, and report failures as annotations (GitHub Actions)')
    .option(
      '--dry-run',
      'show what the run would do, without starting it; a file is saved as a version, and its inputs are uploaded',
    );
  addTarget(command).action(async (target: string, options: RunOptions) => {
    const nearest = findNearest(
      target,
      command.commands.map((one) => one.name()),
    );
    const suggestion = nearest === undefined ? '' : ` Did you mean "millrace run ${nearest}"?`;
    const surplus = command.args.length - 1;
    if (surplus > 0) throw new CliError(`"millrace run" takes one file or workflow.${suggestion}`);
    try {
      await run(target, options, context);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error;
      throw notFound(`${error.message}${suggestion}`);
    }
  });
  for (const add of [
    addGet,
    addStop,
    addControl,
    addRetry,
    addSkip,
    addFailures,
    addCompare,
    addPlan,
    addApprove,
    addSet,
    addLogs,
    addOutput,
  ])
    add(command, context);
}

async function run(target: string, options: RunOptions, context: CliContext): Promise<void> {
  const { watch, ci = false, json = false, dryRun } = options;
  const folder = options.output ?? options.download;
  const screen = json ? process.stderr : process.stdout;
  const note = (line: string) => screen.write(`${line}\n`);
  const { client, name, outputs, plan, start } = await prepareTarget(target, options, context, note);
  if (dryRun) return printPlan(await plan(), { json }, context);
  const started = await start();
  if (watch || ci || folder !== undefined) {
    const { hasCursor } = context.env;
    const watched = { folder, screen, json, hasCursor, nodes: outputs, isPlain: ci };
    context.exitCode = await watchRun(client, started, watched);
    if (ci && context.exitCode === EXIT.runFailed) await reportInCi(client, started.id, context.env.isGitHub);
  } else if (json) {
    process.stdout.write(`${JSON.stringify({ run: started }, null, 2)}\n`);
  } else {
    note(
      `Run ${started.id} of "${name}" has started.\nTo download its outputs after it has ended: millrace output ${started.id}`,
    );
  }
}
