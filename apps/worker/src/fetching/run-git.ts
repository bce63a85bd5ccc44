import { spawn } from 'node:child_process';
import { EgressError } from '@millrace/egress/requests/egress-error';
import { getCapabilityDrop } from './get-capability-drop.js';

/** What git says is read up to here, in characters. */
const MAX_STDERR_CHARACTERS = 16_384;
/**
 * Address space of git and each of its helpers, in KiB: 2 GiB. What a server tells before any file, such as its branches, git
 * keeps in memory as a whole, and takes it compressed.
 */
const MAX_MEMORY_KIB = 2 * 2 ** 20;
/** As the shell spells a command that is not there. */
const NOT_FOUND = 127;

export interface GitCall {
  folder: string;
  /** Of our making alone: nothing of this worker's environment reaches git. */
  env: Record<string, string>;
  signal: AbortSignal;
  /** Hears standard output; without it, that is not read. */
  onOutput?: (chunk: string) => void;
}

/** Git came to an end with something to say. */
export class GitError extends Error {
  override name = 'GitError';
  constructor(readonly stderr: string) {
    super(stderr);
  }
}

/**
 * Runs git as a process group of its own, without capabilities and in bounded memory; the group is killed as a whole at the signal.
 * @throws GitError with its standard error; EgressError if it is not installed; the signal's reason
 */
export async function runGit(args: string[], { folder, env, signal, onOutput }: GitCall): Promise<void> {
  signal.throwIfAborted();
  const bounded = `ulimit -v ${MAX_MEMORY_KIB}; exec ${getCapabilityDrop()} git "$@"`;
  const child = spawn('/bin/sh', ['-c', bounded, 'git', ...args], {
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
    if (code === NOT_FOUND) throw new EgressError('git is not installed on this worker (apt-get install git)');
    if (code !== 0) throw new GitError(stderr);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Its helpers too; none of them is left where the group is gone already. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
