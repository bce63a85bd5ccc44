import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { removeDeadControlGroups } from '../cgroup/control-group.js';
import { DEFAULT_LIMITS, buildRlimitArguments, type Limits } from '../limits/limits.js';
import { RunnerProcess, RUNNER_SEARCH_PATH } from '../runner/runner-process.js';
import { buildBwrapArguments, SANDBOX_PATHS, type ExtraPrograms } from '../sandbox/build-bwrap-arguments.js';
import { drawUserId } from '../sandbox/draw-user-id.js';
import { makeEtcFolder } from '../sandbox/etc-folder.js';
import { makeDevices } from '../sandbox/make-devices.js';

/** `required` refuses to go without a sandbox, `off` runs commands without one. */
export type IsolationSetting = 'required' | 'off';

/** How commands run in this process, decided once at its start. */
export interface Isolation {
  mode: 'sandbox' | 'off';
  limits: Limits;
  /** Folder that sandboxes see as /etc. */
  etc: string;
  /** Folder of their device nodes, or null: those of the machine. */
  devices: string | null;
  /** Whether each slot's commands are a user of the machine of their own; else they are who the worker is. */
  hasUserPerSlot: boolean;
  programs: ExtraPrograms;
  /** Value of PATH for commands. */
  path: string;
}

export class IsolationUnavailableError extends Error {
  override name = 'IsolationUnavailableError';
  constructor(reason: string) {
    const what = `Steps cannot be isolated here: ${reason.replace(/\.+$/, '')}.`;
    super(
      `${what}\nRemove the cause, or set WORKER_ISOLATION=off to run steps without isolation (docs/guides/workers.md).`,
    );
  }
}

/** A sandbox that takes longer to start does not work. */
const TRIAL_TIMEOUT_MS = 10_000;
/** Others may go through the folder, and list nothing. */
const PASS_THROUGH_MODE = 0o711;
const CHECK_EXECUTABLE = 'for program; do [ -x "$program" ] || exit 1; done';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface IsolationOptions {
  /** Folders that steps must not see. */
  hidden?: readonly string[];
  limits?: Limits;
  /** Where bubblewrap is looked for. */
  searchPath?: string;
}

/**
 * Finds out what isolation this machine gives by starting one sandbox, and makes what all sandboxes share below `folder`.
 * Without isolation it finds out whether commands can be users of their own.
 * @throws IsolationUnavailableError with the reason, if isolation is required and this machine gives none
 */
export async function prepareIsolation(
  wish: IsolationSetting,
  folder: string,
  options: IsolationOptions = {},
): Promise<Isolation> {
  const { hidden = [], limits = DEFAULT_LIMITS, searchPath = RUNNER_SEARCH_PATH } = options;
  const etc = join(folder, 'etc');
  makeEtcFolder(etc);
  removeDeadControlGroups();
  const programs = findExtraPrograms();
  if (wish === 'off') {
    const hasUserPerSlot = await canCommandHaveOwnUser(folder, limits, Object.values(programs));
    const path = buildPath(programs, resolve(process.execPath, '..'));
    return { mode: 'off', limits, etc, devices: null, hasUserPerSlot, programs, path };
  }
  const forbids = (candidate: string | null) =>
    findVisibleFolder([folder, ...hidden]) ??
    findSandboxProblem(folder, { etc, devices: candidate }, limits, searchPath);
  let devices = makeDevices(join(folder, 'dev'));
  // Where the folder's file system takes no devices, those of the machine have to do.
  if (devices !== null && (await forbids(devices)) !== null) devices = null;
  const reason = devices === null ? await forbids(null) : null;
  if (reason !== null) throw new IsolationUnavailableError(reason);
  const hasUserPerSlot = await canSandboxHaveOwnUser(folder, { etc, devices }, limits);
  return {
    mode: 'sandbox',
    limits,
    etc,
    devices,
    hasUserPerSlot,
    programs,
    path: buildPath(programs, SANDBOX_PATHS.bin),
  };
}

const buildPath = (programs: ExtraPrograms, folder: string): string =>
  Object.keys(programs).length === 0 ? SYSTEM_PATH : `${SYSTEM_PATH}${delimiter}${folder}`;

/** A Node from npm or a version manager lies in somebody's home: steps in JavaScript need one all the same. */
function findExtraPrograms(): ExtraPrograms {
  const known = ['/usr/local/bin/node', '/usr/bin/node'].some((path) => existsSync(path));
  return known ? {} : { node: process.execPath };
}

function findVisibleFolder(folders: readonly string[]): string | null {
  const seen = folders.find((path) => `${resolve(path)}/`.startsWith('/usr/'));
  return seen === undefined ? null : `${seen} lies below /usr, which every step can read; keep data elsewhere`;
}

async function findSandboxProblem(
  folder: string,
  shared: { etc: string; devices: string | null },
  limits: Limits,
  searchPath: string,
): Promise<string | null> {
  const trial = { ...makeTrialFolders(folder), ...shared };
  const [command = 'bwrap', ...args] = buildBwrapArguments(trial, limits, { network: false, hasOwnUser: false });
  try {
    // With its standard input closed, the runner says `ready` and leaves.
    const child = promisify(execFile)(command, args, { timeout: TRIAL_TIMEOUT_MS, env: { PATH: searchPath } });
    child.child.stdin?.end();
    const { stdout } = await child;
    return stdout.includes('ready') ? null : 'the sandbox does not answer';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return 'bubblewrap is not installed (apt-get install bubblewrap)';
    return `bubblewrap does not work: ${(error as { stderr?: string }).stderr?.trim() || String(error)}`;
  }
}

function makeTrialFolders(folder: string): { work: string; input: string; step: string } {
  const [work, input, step] = ['work', 'in', 'step'].map((name) => join(folder, 'trial', name)) as [
    string,
    string,
    string,
  ];
  for (const path of [join(work, 'in'), input, step]) mkdirSync(path, { recursive: true });
  return { work, input, step };
}

/**
 * Only root can make somebody else the user of a sandbox, and some containers do not let root either. What root writes must
 * then be readable by others, which its umask decides.
 */
async function canSandboxHaveOwnUser(
  folder: string,
  shared: { etc: string; devices: string | null },
  limits: Limits,
): Promise<boolean> {
  if (process.getuid?.() !== 0 || (statSync(join(shared.etc, 'passwd')).mode & 0o004) === 0) return false;
  const trial = makeTrialFolders(folder);
  const user = drawUserId();
  for (const path of [trial.work, trial.step]) chownSync(path, user, user);
  const rights = { network: false, hasOwnUser: true };
  const runner = new RunnerProcess('supervisor');
  const timer = setTimeout(() => runner.kill(), TRIAL_TIMEOUT_MS);
  try {
    await runner.nextResponse();
    const args = buildBwrapArguments({ ...trial, ...shared }, limits, rights);
    const [answer] = await runner.request('sandbox', String(user), ...args);
    return answer === 'ready';
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    await runner.close();
  }
}

/**
 * Whether commands without a sandbox can be somebody else than this process. Only root can choose, and their user must be
 * let in to their folders, and to programs that lie outside of the system's: the worker's own folders are opened for passing
 * through here, those above are the operator's.
 */
async function canCommandHaveOwnUser(folder: string, limits: Limits, programs: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const { work } = makeTrialFolders(folder);
  const user = drawUserId();
  const runner = new RunnerProcess('unsandboxed', buildRlimitArguments(limits, true), user);
  const timer = setTimeout(() => runner.kill(), TRIAL_TIMEOUT_MS);
  try {
    chmodSync(folder, PASS_THROUGH_MODE);
    chmodSync(join(folder, 'trial'), PASS_THROUGH_MODE);
    chownSync(work, user, user);
    await runner.nextResponse();
    const files = [join(work, 'stdout'), join(work, 'stderr')];
    const argv = ['/bin/sh', '-c', CHECK_EXECUTABLE, 'sh', ...programs];
    const [, , status] = await runner.request('run', '1', work, ...files, String(argv.length), ...argv);
    return status === '0';
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    await runner.close();
  }
}
