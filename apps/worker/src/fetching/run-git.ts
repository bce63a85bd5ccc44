import { spawn, spawnSync } from 'node:child_process';
import { EgressError } from '@millrace/egress/requests/egress-error';

/** End of git's standard error that is kept. */
const MAX_STDERR_CHARACTERS = 16_384;
/**
 * Address space of git and each of its helpers, in KiB: 2 GiB. Git stores everything that a server sends before the first
 * file, such as its branches, in memory, and accepts it compressed.
 */
const MAX_MEMORY_KIB = 2 * 2 ** 20;
/** Exit code of a shell if the program does not exist. */
const NOT_FOUND_EXIT_CODE = 127;

export interface GitCall {
  folder: string;
  /** The complete environment: git inherits nothing from this worker. */
  env: Record<string, string>;
  signal: AbortSignal;
  /** Receives standard output, which is not read without it. */
  onOutput?: (chunk: string) => void;
}

/** Git has failed. */
export class GitError extends Error {
  override name = 'GitError';
  constructor(readonly stderr: string) {
    super(stderr);
  }
}

/**
 * Runs git in a process group of its own, without capabilities and with limited memory. The signal kills the whole group.
 * @throws GitError with its standard error; EgressError if it is not installed; the signal's reason
 */
export async function runGit(args: string[], { folder, env, signal, onOutput }: GitCall): Promise<void> {
  signal.throwIfAborted();
  const script = `ulimit -v ${MAX_MEMORY_KIB}; exec ${getCapabilityDrop()} git "$@"`;
  const child = spawn('/bin/sh', ['-c', script, 'git', ...args], {
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
    detached: true,
    stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
  });
  const kill = () => child.pid !== undefined && killGroup(child.pid);
  signal.addEventListener('abort', kill, { once: true });
  let stderr = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS)));
  child.stdout?.setEncoding('utf8').on('data', onOutput ?? (() => undefined));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    if (code === NOT_FOUND_EXIT_CODE)
      throw new EgressError('git is not installed on this worker (apt-get install git)');
    if (code !== 0) throw new GitError(stderr);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Kills git and its helpers. If the group has ended, none of them is left. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const DROP = ['/usr/bin/setpriv', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'] as const;
let prefix: string | undefined;

/**
 * Prefix of a shell command that drops all capabilities, even if this process is root: setpriv(1) of util-linux. Empty for an
 * ordinary user, or if this process cannot drop capabilities.
 */
function getCapabilityDrop(): string {
  prefix ??= process.getuid?.() === 0 && works() ? DROP.join(' ') : '';
  return prefix;
}

function works(): boolean {
  const [command, ...args] = DROP;
  return spawnSync(command, [...args, '/bin/true'], { stdio: 'ignore' }).status === 0;
}
