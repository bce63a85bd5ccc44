import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { freePort } from '@millrace/testkit/free-port';
import { keepLogs } from './keep-logs.js';
import { REPOSITORY } from './repository.js';

const run = promisify(execFile);

export interface OwnSystem {
  url: string;
  /** Its data directory. */
  folder: string;
  /** Connection string of its database. */
  database: string;
  /** Process id of the supervisor, which restarts the other processes. */
  supervisor: number;
  pidOf(process: string): number;
  isReady(): Promise<boolean>;
  /**
   * Runs a script of the repository with the settings of the system and some more.
   * @returns what it printed. @throws Error with `code`, `stdout` and `stderr` if it fails
   */
  runScript(args: string[], more?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

export interface OwnSystemOptions {
  /**
   * File systems in memory for the data directory and some of its folders. Requires root, which CI has.
   */
  disks?: { data: Disk } & Partial<Record<'objects' | 'logs', Disk>>;
  /**
   * The only services with a process of their own; all others share one, which needs a third of the processor time to start.
   * By default each service has its own.
   */
  separate?: readonly ServiceName[];
  /** A checkout of another commit, installed and built, that the system is started from. */
  checkout?: string;
}

/** A file system in memory. */
export interface Disk {
  /** Such as `400m`. */
  size: string;
  /** Maximum number of files; as many as fit by default. */
  inodes?: number;
}

/**
 * Starts a separate system for one suite, like `npm run up --detach`. The suite may kill its processes.
 * @param settings additional environment variables
 */
export async function startOwnSystem(
  settings: Record<string, string> = {},
  { disks, separate, checkout = REPOSITORY }: OwnSystemOptions = {},
): Promise<OwnSystem> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-own-'));
  const mounted = await mountDisks(folder, disks);
  // If root runs the tests, PostgreSQL's own user must be able to enter the folder.
  chmodSync(folder, 0o711);
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const own = { PORT: String(port), MILLRACE_DATA_DIR: folder, LOG_LEVEL: 'trace', RATE_LIMIT_PER_MINUTE: '0' };
  const env = {
    PATH,
    HOME,
    CI: 'true',
    ...own,
    ...(separate && { SEPARATE_SERVICES: separate.join(',') }),
    ...settings,
  };
  const runScriptOf = async (root: string, [name = '', ...args]: string[], more: Record<string, string> = {}) => {
    const { stdout } = await run(process.execPath, [join(root, 'scripts', name), ...args], {
      cwd: root,
      env: { ...env, LOG_LEVEL: 'trace', ...more },
      timeout: 120_000,
    });
    return stdout;
  };
  const runScript: OwnSystem['runScript'] = (args, more) => runScriptOf(REPOSITORY, args, more);
  const stop = async () => {
    await runScript(['down.mjs']);
    keepLogs(folder);
    for (const path of mounted.toReversed()) await run('umount', ['--lazy', path]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await runScriptOf(checkout, ['up.mjs', '--detach', ...(separate ? ['--single'] : [])]);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    folder,
    database: databaseUrl(folder),
    supervisor: supervisorOf(folder),
    pidOf: (name) => Number(readFileSync(join(folder, 'run', `${name}.pid`), 'utf8')),
    isReady: async () => {
      const response = await fetch(`${url}/health/system`, { signal: AbortSignal.timeout(15_000) }).catch(() => null);
      await response?.body?.cancel();
      return response?.status === 200;
    },
    runScript,
    stop,
  };
}

/** @returns the folders that are mounted, in this order */
async function mountDisks(folder: string, { data, ...others }: Partial<Record<string, Disk>> = {}): Promise<string[]> {
  const disks = [
    ...(data ? [[folder, data] as const] : []),
    ...Object.entries(others).map(([name, disk]) => [join(folder, name), disk] as const),
  ];
  const mounted: string[] = [];
  for (const [path, disk] of disks) {
    if (!disk) continue;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const inodes = disk.inodes === undefined ? '' : `,nr_inodes=${disk.inodes}`;
    await run('mount', ['-t', 'tmpfs', '-o', `size=${disk.size}${inodes}`, 'millrace-test', path]);
    mounted.push(path);
  }
  return mounted;
}

function supervisorOf(folder: string): number {
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as { supervisor: { pid: number } };
  return state.supervisor.pid;
}

/** Connection string of the database of the system whose data directory is `folder`. */
export function databaseUrl(folder: string): string {
  const { port, password } = connectionOf('postgres', folder);
  return `postgresql://millrace:${password}@127.0.0.1:${port}/millrace`;
}

/** The ioredis options for the Redis of the system whose data directory is `folder`. */
export const redisOptions = (folder: string) => connectionOf('redis', folder);

/** Options that connect to NATS as the runs service, which may publish events. */
export function brokerOptions(folder: string): MessagingOptions {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { nats: unknown };
  const { runs } = read('secrets.json').nats as { runs: string };
  return {
    service: 'runs',
    natsUrl: `nats://127.0.0.1:${Number(read('ports.json').nats)}`,
    natsPassword: runs,
    redisUrl: 'redis://unused',
    checkResponses: true,
  };
}

function connectionOf(server: 'postgres' | 'redis', folder: string): { port: number; password: string } {
  const read = (name: string) =>
    (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>)[server];
  return { port: Number(read('ports.json')), password: String(read('secrets.json')) };
}
