import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ByteStream, MillraceClient, SandboxEntry, SandboxExit, SandboxSession } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { cleanPath } from '../files/stored-paths.js';
import { isStdout, writeOutput } from '../files/write-output.js';
import { formatBytes } from '../format-bytes.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, print, printDone, printList, printRecord, toJson } from '../print-records.js';
import { findWorkflow } from '../resolve-names.js';
import { TransferProgress } from '../transfer-progress.js';
import { CommandGroup } from './command-group.js';
import { parseCountUpTo } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'vaults.get',
  'sandboxes.start',
  'sandboxes.status',
  'sandboxes.exec',
  'sandboxes.listFiles',
  'sandboxes.readFile',
  'sandboxes.writeFile',
  'sandboxes.stop',
];

/** The session of commands that name no workflow. */
const AGENT_SESSION = 'millrace-cli';
const START_TIMEOUT_MS = 60_000;
const START_POLL_INTERVAL_MS = 200;
const MAX_COMMAND_SECONDS = 3600;
/** As shells do: 128 and the number of the signal. */
const SIGNAL_CODES: Record<string, number> = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 };
const NO_CODE = 1;

const FIELDS: Fields<SandboxSession> = {
  SESSION: (session) => session.sessionId,
  STATUS: ({ status }) => status,
  STARTED: (session) => formatTime(session.startedAt),
  EXPIRES: (session) => formatTime(session.expiresAt),
  REASON: ({ reason }) => reason,
};
const ENTRY_COLUMNS: Fields<SandboxEntry> = {
  PATH: ({ path, type, target }) => (type === 'folder' ? `${path}/` : type === 'link' ? `${path} → ${target}` : path),
  SIZE: ({ type, size }) => (type === 'file' ? formatBytes(size) : ''),
  EXECUTABLE: ({ executable }) => (executable ? 'yes' : ''),
  MODIFIED: ({ modifiedAt }) => formatTime(modifiedAt),
};

interface Options {
  json?: boolean;
  workflow?: string;
  timeout?: number;
  output?: string;
  executable?: boolean;
}

/** Commands in a sandbox session. */
export function addSandbox(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'sandbox', 'run commands in a sandbox session');
  addShell(group, context);
  addExec(group, context);
  addTransfers(group);
  addState(group);
}

const ofWorkflow = (command: Command): Command =>
  command.option('-w, --workflow <workflow>', 'the session for this workflow (default: a session of the command line)');

/** Without a subcommand, `millrace sandbox` is a shell. */
function addShell(group: CommandGroup, context: CliContext): void {
  ofWorkflow(group.parent.command('shell', { isDefault: true }).description('open an interactive shell (default)'))
    .addHelpText(
      'after',
      '\nEach line is a command. Files in /workspace stay; variables and background processes do not.\n' +
        'Ctrl-C ends the command that runs, Ctrl-D or "exit" ends the shell. The session stays until: millrace sandbox stop\n' +
        '\nExamples:\n  millrace sandbox\n  millrace sandbox --workflow "Port scan"',
    )
    .action(async ({ workflow }: Options) => {
      const client = await group.connect();
      context.exitCode = await runShell(client, await open(client, workflow));
    });
}

function addExec(group: CommandGroup, context: CliContext): void {
  ofWorkflow(
    group.add('exec', 'run one command; its exit code becomes that of millrace', [
      `sandbox exec 'seq 3 > numbers; wc -l numbers'`,
      `sandbox exec 'python3 check.py' --workflow "Port scan" --timeout 600`,
    ]),
  )
    .argument('<command>', 'command for bash, as one argument')
    .option('--timeout <seconds>', 'ends the command after this time', parseCountUpTo(MAX_COMMAND_SECONDS), 60)
    .action(async (command: string, { json, workflow, timeout }: Options) => {
      const client = await group.connect();
      const session = await open(client, workflow);
      const output = { stdout: '', stderr: '' };
      const write = (stream: 'stdout' | 'stderr', text: string) => {
        if (json) output[stream] += text;
        else process[stream].write(text);
      };
      const exit = await execute(client, pickDefined({ sessionId: session, command, timeout_seconds: timeout }), write);
      if (json) await print(toJson({ ...output, ...exit }));
      else warnOf(exit);
      context.exitCode = toExitCode(exit);
    });
}

function addTransfers(group: CommandGroup): void {
  ofWorkflow(group.add('put', 'copy a file into the session', ['sandbox put hosts.txt in/hosts.txt']))
    .argument('<local>', 'file on this machine')
    .argument('[path]', 'path in the session (default: its name)')
    .option('--executable', 'make it executable')
    .action(async (local: string, path: string | undefined, { json, workflow, executable }: Options) => {
      const stats = await stat(local).catch(() => null);
      if (!stats?.isFile()) throw new CliError(`${local} is not a file.`);
      const client = await group.connect();
      const query = pickDefined({
        ...{ sessionId: await open(client, workflow), path: inWorkspace(path ?? basename(local)) },
        executable: executable ? ('true' as const) : undefined,
      });
      const show = new TransferProgress();
      const report = show.of(local);
      const source = () => Readable.toWeb(createReadStream(local)) as ByteStream;
      const onProgress = ({ loaded }: { loaded: number }) => report({ loaded, total: stats.size });
      const entry = await client.sandboxes.writeFile(query, source, { onProgress }).finally(() => show.end());
      await printDone(`Wrote ${entry.path} (${formatBytes(entry.size)}) in the session.`, entry, { json });
    });
  ofWorkflow(group.add('get', 'copy a file out of the session', ['sandbox get result.csv --output copy.csv']))
    .argument('<path>', 'path in the session')
    .option('-o, --output <file>', 'local file (default: its name); "-" for standard output')
    .action(async (path: string, { json, workflow, output }: Options) => {
      const client = await group.connect();
      const file = output ?? basename(path);
      const query = { sessionId: await open(client, workflow), path: inWorkspace(path) };
      const { body } = await client.sandboxes.readFile(query);
      await writeOutput(file, body);
      if (!isStdout(file)) await printDone(`Wrote ${file}.`, { path: query.path, file }, { json });
    });
  ofWorkflow(group.add('ls', 'list the files of the session', ['sandbox ls']))
    .argument('[path]', 'file, or folder with everything in it (default: all)')
    .action(async (path: string | undefined, { json, workflow }: Options) => {
      const client = await group.connect();
      const sessionId = await open(client, workflow);
      const query = pickDefined({ sessionId, path: path === undefined ? undefined : inWorkspace(path) });
      await printList(client.sandboxes.listFiles(query), ENTRY_COLUMNS, { json, empty: 'No files.' });
    });
}

function addState(group: CommandGroup): void {
  ofWorkflow(group.add('status', 'show whether a session is running', ['sandbox status'])).action(
    async ({ json, workflow }: Options) => {
      const client = await group.connect();
      await printRecord(await client.sandboxes.status(await placeOf(client, workflow)), FIELDS, { json });
    },
  );
  ofWorkflow(
    group.add('stop', 'stop the session with its command; its files stay for the next one', ['sandbox stop']),
  ).action(async ({ json, workflow }: Options) => {
    const client = await group.connect();
    const { sessionId, status } = await client.sandboxes.status(await placeOf(client, workflow));
    const isOpen = sessionId !== undefined && (status === 'running' || status === 'starting');
    const { success } = isOpen ? await client.sandboxes.stop({ sessionId }) : { success: false };
    await printDone(success ? 'Stopped the session.' : 'No session was running.', { success }, { json });
  });
}

async function placeOf(client: MillraceClient, workflow: string | undefined) {
  const { id: vaultId } = await client.vaults.get();
  if (workflow === undefined) return { vaultId, agentSessionId: AGENT_SESSION };
  return { vaultId, workflowId: await findWorkflow(client, workflow) };
}

/** Starts the session, or finds the open one. @returns its id when it is running */
async function open(client: MillraceClient, workflow: string | undefined): Promise<string> {
  const place = await placeOf(client, workflow);
  const deadline = Date.now() + START_TIMEOUT_MS;
  let session = await client.sandboxes.start(place);
  while (session.status === 'starting' && Date.now() < deadline) {
    await sleep(START_POLL_INTERVAL_MS);
    session = await client.sandboxes.status(place);
  }
  if (session.status === 'running' && session.sessionId !== undefined) return session.sessionId;
  const reason = session.reason === undefined ? '' : `: ${session.reason}`;
  throw new CliError(`The sandbox session is ${session.status}${reason}. Try again.`);
}

interface Execution {
  sessionId: string;
  command: string;
  timeout_seconds?: number;
}
type Write = (stream: 'stdout' | 'stderr', text: string) => void;

async function execute(
  client: MillraceClient,
  body: Execution,
  write: Write,
  signal?: AbortSignal,
): Promise<SandboxExit> {
  for await (const event of client.sandboxes.exec(body, signal ? { signal } : {})) {
    if (event.type === 'exit') return event.exit;
    write(event.type, event.text);
  }
  throw new CliError('The connection to the command was lost. It has been ended.');
}

function warnOf(exit: SandboxExit): void {
  if (exit.timed_out) process.stderr.write('The command was ended, because it exceeded its time limit.\n');
  if (exit.truncated) process.stderr.write('The output is incomplete: it exceeded 10 MiB.\n');
  if (!exit.saved)
    process.stderr.write(`The changes of its files were not saved${exit.reason ? `: ${exit.reason}` : ''}.\n`);
}

const toExitCode = ({ code, signal = '' }: SandboxExit): number => code ?? SIGNAL_CODES[signal] ?? NO_CODE;

/** Executes line by line. @returns the exit code of the last command */
async function runShell(client: MillraceClient, sessionId: string): Promise<number> {
  const shell = new SandboxShell(client, sessionId);
  const isTerminal = process.stdin.isTTY;
  const reader = createInterface({ input: process.stdin, ...(isTerminal && { output: process.stderr }) });
  const showPrompt = () => {
    reader.setPrompt(`${shell.folder}$ `);
    if (isTerminal) reader.prompt();
  };
  reader.on('SIGINT', () => {
    if (shell.interrupt()) return;
    process.stderr.write('\n');
    showPrompt();
  });
  const onSignal = () => void (shell.interrupt() || process.exit(130));
  process.on('SIGINT', onSignal);
  try {
    showPrompt();
    for await (const line of reader) {
      if (/^\s*exit\s*$/.test(line)) break;
      await shell.run(line);
      showPrompt();
    }
  } finally {
    process.off('SIGINT', onSignal);
    reader.close();
  }
  return shell.exitCode;
}

/** Runs the lines of a shell. It has a current folder, because each command of a session starts in /workspace. */
class SandboxShell {
  folder = '/workspace';
  exitCode = 0;
  private running: AbortController | null = null;

  constructor(
    private readonly client: MillraceClient,
    private readonly sessionId: string,
  ) {}

  /** Ends the command that runs. @returns whether one was running */
  interrupt(): boolean {
    const { running } = this;
    running?.abort();
    return running !== null;
  }

  async run(line: string): Promise<void> {
    if (line.trim() === '') return;
    this.running = new AbortController();
    try {
      await (/^\s*cd(\s|$)/.test(line) ? this.changeFolder(line) : this.execute(line));
    } catch (error) {
      if (!this.running.signal.aborted) throw error;
      this.exitCode = SIGNAL_CODES['SIGINT'] ?? NO_CODE;
      process.stderr.write('^C\n');
    } finally {
      this.running = null;
    }
  }

  private async execute(line: string): Promise<void> {
    await this.send(line, (stream, text) => process[stream].write(text));
  }

  private async changeFolder(line: string): Promise<void> {
    let folder = '';
    await this.send(`${line} && pwd`, (stream, text) => {
      if (stream === 'stdout') folder += text;
      else process.stderr.write(text);
    });
    if (this.exitCode === 0) this.folder = folder.trim().split('\n').at(-1) ?? this.folder;
  }

  private async send(line: string, write: Write): Promise<void> {
    const command = `cd ${quote(this.folder)} || exit\n${line}`;
    const body = { sessionId: this.sessionId, command, timeout_seconds: MAX_COMMAND_SECONDS };
    const exit = await execute(this.client, body, write, this.running?.signal);
    this.exitCode = toExitCode(exit);
    warnOf(exit);
    if (this.exitCode !== 0) process.stderr.write(`[exit code ${this.exitCode}]\n`);
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A path in the session: `/workspace/in/a` and `in/a` are the same. */
const inWorkspace = (path: string): string => cleanPath(path.replace(/^\/workspace(\/|$)/, ''));
