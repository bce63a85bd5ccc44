import type { Command } from 'commander';
import type { CliContext } from './cli-context.js';

type AddCommand = (parent: Command, context: CliContext) => void;

/** A command of `millrace`. Its module is loaded when the command runs. */
export interface CommandEntry {
  name: string;
  group: string;
  description: string;
  load: () => Promise<AddCommand>;
}

/** All commands, in the order of the help. Those that act on one run are short forms of `millrace run <name>`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    ...{ name: 'signup', group: 'Account', description: 'create an account on the server and sign in' },
    load: async () => (await import('./commands/signup.js')).addSignup,
  },
  {
    ...{ name: 'login', group: 'Account', description: 'sign in with a browser on this or any other machine' },
    load: async () => (await import('./commands/login.js')).addLogin,
  },
  {
    ...{ name: 'logout', group: 'Account', description: 'end the session and delete the stored credentials' },
    load: async () => (await import('./commands/logout.js')).addLogout,
  },
  {
    ...{ name: 'whoami', group: 'Account', description: 'show the user and the server that you are signed in to' },
    load: async () => (await import('./commands/whoami.js')).addWhoami,
  },
  {
    ...{ name: 'profile', group: 'Account', description: 'list and choose profiles: your accounts on servers' },
    load: async () => (await import('./commands/profile.js')).addProfile,
  },
  {
    ...{ name: 'token', group: 'Account', description: 'create a new API token' },
    load: async () => (await import('./commands/token.js')).addToken,
  },
  {
    ...{ name: 'run', group: 'Runs', description: 'run a workflow: a file, or one on the server; or act on a run' },
    load: async () => (await import('./commands/run.js')).addRun,
  },
  {
    ...{ name: 'runs', group: 'Runs', description: 'list the newest runs' },
    load: async () => (await import('./commands/runs.js')).addRuns,
  },
  {
    ...{ name: 'plan', group: 'Runs', description: 'show what a run would do, without starting it' },
    load: async () => (await import('./commands/plan.js')).addPlan,
  },
  {
    ...{
      name: 'output',
      group: 'Runs',
      description: 'download outputs of a run: the named ones, or those of some nodes',
    },
    load: async () => (await import('./commands/output.js')).addOutput,
  },
  {
    ...{ name: 'logs', group: 'Runs', description: 'print the log of a node of a run' },
    load: async () => (await import('./commands/logs.js')).addLogs,
  },
  {
    ...{ name: 'stop', group: 'Runs', description: 'stop a run, or some of its nodes' },
    load: async () => (await import('./commands/stop.js')).addStop,
  },
  {
    ...{ name: 'pause', group: 'Runs', description: 'start nothing new in a run until it is resumed' },
    load: async () => (await import('./commands/control.js')).addControl,
  },
  {
    ...{ name: 'resume', group: 'Runs', description: 'resume a paused run' },
    load: async () => (await import('./commands/control.js')).addControl,
  },
  {
    ...{ name: 'update', group: 'Runs', description: 'change a run, also while it is under way' },
    load: async () => (await import('./commands/control.js')).addControl,
  },
  {
    ...{
      name: 'failures',
      group: 'Runs',
      description: 'list what failed in a run, grouped by reason, the largest group first',
    },
    load: async () => (await import('./commands/failures.js')).addFailures,
  },
  {
    ...{
      name: 'retry',
      group: 'Runs',
      description: 'run what failed again, in the same run, with everything that depends on it',
    },
    load: async () => (await import('./commands/retry.js')).addRetry,
  },
  {
    ...{ name: 'skip', group: 'Runs', description: 'let a run go on without a subjob that failed' },
    load: async () => (await import('./commands/retry.js')).addSkip,
  },
  {
    ...{ name: 'compare', group: 'Runs', description: 'show what differs between two runs' },
    load: async () => (await import('./commands/compare.js')).addCompare,
  },
  {
    ...{ name: 'approve', group: 'Runs', description: 'approve a step that waits for an approval' },
    load: async () => (await import('./commands/approve.js')).addApprove,
  },
  {
    ...{ name: 'reject', group: 'Runs', description: 'reject a step that waits for an approval' },
    load: async () => (await import('./commands/approve.js')).addApprove,
  },
  {
    ...{
      name: 'set',
      group: 'Runs',
      description: 'change parameters of a node for everything in a run that has not started',
    },
    load: async () => (await import('./commands/set.js')).addSet,
  },
  {
    ...{ name: 'cache', group: 'Runs', description: 'explain and remove cached results' },
    load: async () => (await import('./commands/cache.js')).addCache,
  },
  {
    ...{ name: 'retention', group: 'Runs', description: 'show or set how long runs are kept' },
    load: async () => (await import('./commands/retention.js')).addRetention,
  },
  {
    ...{ name: 'workflow', group: 'Workflows', description: 'list and change workflows and their versions' },
    load: async () => (await import('./commands/workflow.js')).addWorkflow,
  },
  {
    ...{
      name: 'validate',
      group: 'Workflows',
      description: 'report all problems of a workflow file, without saving it',
    },
    load: async () => (await import('./commands/validate.js')).addValidate,
  },
  {
    ...{
      name: 'pull',
      group: 'Workflows',
      description: 'write the latest version of a workflow to a file, or update the file',
    },
    load: async () => (await import('./commands/pull.js')).addPull,
  },
  {
    ...{
      name: 'push',
      group: 'Workflows',
      description: 'save a file as a new version of its workflow; refuses to overwrite a newer version',
    },
    load: async () => (await import('./commands/push.js')).addPush,
  },
  {
    ...{ name: 'import', group: 'Workflows', description: 'create a new workflow from a workflow file' },
    load: async () => (await import('./commands/import.js')).addImport,
  },
  {
    ...{ name: 'export', group: 'Workflows', description: 'export a workflow as a file for `run`' },
    load: async () => (await import('./commands/export.js')).addExport,
  },
  {
    ...{ name: 'schedule', group: 'Workflows', description: 'show and set the schedule of a workflow' },
    load: async () => (await import('./commands/schedule.js')).addSchedule,
  },
  {
    ...{ name: 'library', group: 'Workflows', description: 'search and change the library of modules' },
    load: async () => (await import('./commands/library.js')).addLibrary,
  },
  {
    ...{ name: 'space', group: 'Workflows', description: 'list and change spaces, which contain workflows' },
    load: async () => (await import('./commands/space.js')).addSpace,
  },
  {
    ...{ name: 'project', group: 'Workflows', description: 'list and change projects, which group workflows' },
    load: async () => (await import('./commands/project.js')).addProject,
  },
  {
    ...{ name: 'files', group: 'Data', description: 'list, upload and download files of the vault' },
    load: async () => (await import('./commands/files.js')).addFiles,
  },
  {
    ...{ name: 'table', group: 'Data', description: 'create, fill, query and export Live Tables' },
    load: async () => (await import('./commands/table.js')).addTable,
  },
  {
    ...{ name: 'secrets', group: 'Data', description: 'list and set secret variables' },
    load: async () => (await import('./commands/secrets.js')).addSecrets,
  },
  {
    ...{ name: 'sandbox', group: 'Data', description: 'run commands in a sandbox session' },
    load: async () => (await import('./commands/sandbox.js')).addSandbox,
  },
  {
    ...{ name: 'notifications', group: 'Vault', description: 'read and configure your notifications' },
    load: async () => (await import('./commands/notifications.js')).addNotifications,
  },
  {
    ...{ name: 'webhook', group: 'Vault', description: 'list and change webhooks, which send events to a URL' },
    load: async () => (await import('./commands/webhook.js')).addWebhook,
  },
  {
    ...{ name: 'usage', group: 'Vault', description: 'show the usage of the vault by day, workflow, space or month' },
    load: async () => (await import('./commands/usage.js')).addUsage,
  },
  {
    ...{ name: 'audit', group: 'Vault', description: 'read the audit log of the vault' },
    load: async () => (await import('./commands/audit.js')).addAudit,
  },
  {
    ...{ name: 'workers', group: 'Installation', description: 'list workers, and take them out of service' },
    load: async () => (await import('./commands/workers.js')).addWorkers,
  },
  {
    ...{ name: 'fleets', group: 'Installation', description: 'list the fleets of workers, and what waits for them' },
    load: async () => (await import('./commands/fleets.js')).addFleets,
  },
  {
    ...{ name: 'admin', group: 'Installation', description: 'administer the whole installation' },
    load: async () => (await import('./commands/admin.js')).addAdmin,
  },
  {
    ...{ name: 'api', group: 'Tools', description: 'call any operation of the API, and print its response' },
    load: async () => (await import('./commands/api.js')).addApi,
  },
  {
    ...{ name: 'open', group: 'Tools', description: 'open the page of a run or another record in the browser' },
    load: async () => (await import('./commands/open.js')).addOpen,
  },
  {
    ...{
      name: 'doctor',
      group: 'Tools',
      description: 'check the server, its services, its version, the clock and the sign-in',
    },
    load: async () => (await import('./commands/doctor.js')).addDoctor,
  },
  {
    ...{ name: 'completion', group: 'Tools', description: 'print the completion script of a shell' },
    load: async () => (await import('./commands/completion.js')).addCompletion,
  },
  {
    ...{ name: 'mcp', group: 'Tools', description: 'serve MCP over standard input and output, for AI assistants' },
    load: async () => (await import('./commands/mcp.js')).addMcp,
  },
];
