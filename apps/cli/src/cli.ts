import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { EXIT, type CliContext } from './cli-context.js';
import { addApprove } from './commands/approve.js';
import { addAudit } from './commands/audit.js';
import { addCache } from './commands/cache.js';
import { addCompare } from './commands/compare.js';
import { addControl } from './commands/control.js';
import { addExport } from './commands/export.js';
import { addFailures } from './commands/failures.js';
import { addFiles } from './commands/files.js';
import { addImport } from './commands/import.js';
import { addLibrary } from './commands/library.js';
import { addLogin } from './commands/login.js';
import { addLogout } from './commands/logout.js';
import { addLogs } from './commands/logs.js';
import { addMcp } from './commands/mcp.js';
import { addNotifications } from './commands/notifications.js';
import { addOutput } from './commands/output.js';
import { addPlan } from './commands/plan.js';
import { addProject } from './commands/project.js';
import { addPull } from './commands/pull.js';
import { addPush } from './commands/push.js';
import { addRetention } from './commands/retention.js';
import { addRetry, addSkip } from './commands/retry.js';
import { addRun } from './commands/run.js';
import { addRuns } from './commands/runs.js';
import { addSandbox } from './commands/sandbox.js';
import { addSchedule } from './commands/schedule.js';
import { addSecrets } from './commands/secrets.js';
import { addSet } from './commands/set.js';
import { addSignup } from './commands/signup.js';
import { addSpace } from './commands/space.js';
import { addStop } from './commands/stop.js';
import { addTable } from './commands/table.js';
import { addToken } from './commands/token.js';
import { addUsage } from './commands/usage.js';
import { addValidate } from './commands/validate.js';
import { addWebhook } from './commands/webhook.js';
import { addWhoami } from './commands/whoami.js';
import { addWorkflow } from './commands/workflow.js';
import { describeFailure } from './describe-failure.js';
import { isTraced, readEnv } from './env.js';

/** Runs a command and returns its exit code. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const context: CliContext = { env: readEnv(env), exitCode: EXIT.ok };
    await buildProgram(context).parseAsync([...argv]);
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.notDone;
    process.stderr.write(`${describeFailure(error, isTraced(env))}\n`);
    return EXIT.notDone;
  }
}

function buildProgram(context: CliContext): Command {
  const program = new Command('millrace')
    .description('Run workflows on a Millrace server')
    .option(
      '--url <url>',
      'address of the server (default: MILLRACE_URL, then the server of the last sign-in, then the server that `npm run up` started in this folder; signup tries the local server first)',
      toAddress,
    )
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(add --help to list commands and options)');
  const commands = [
    addSignup,
    addLogin,
    addLogout,
    addWhoami,
    addRun,
    addPlan,
    addRuns,
    addOutput,
    addLogs,
    addStop,
    addFailures,
    addCompare,
    addCache,
    addRetry,
    addSkip,
    addApprove,
    addSet,
    addControl,
    addRetention,
    addExport,
    addWorkflow,
    addValidate,
    addPull,
    addPush,
    addImport,
    addSpace,
    addProject,
    addLibrary,
    addFiles,
    addSecrets,
    addSchedule,
    addWebhook,
    addTable,
    addNotifications,
    addUsage,
    addAudit,
    addToken,
    addSandbox,
    addMcp,
  ];
  for (const add of commands) add(program, context);
  for (const command of program.commands) command.exitOverride().configureHelp({ showGlobalOptions: true });
  return program;
}

function toAddress(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isAddress) throw new InvalidArgumentError('Use an address like https://millrace.example.org.');
  return text;
}
