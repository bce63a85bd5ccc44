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

/** `required` runs commands only in sandboxes, `off` runs them without one. */
export type IsolationSetting = 'required' | 'off';

/** How this process runs commands, decided once at its start. */
export interface Isolation {
  mode: 'sandbox' | 'off';
  limits: Limits;
  /** Folder that sandboxes see as /etc. */
  etc: string;
  /** Folder with the device nodes of sandboxes; null if they use those of the machine. */
  devices: string | null;
  /** Whether the commands of each slot have a user of their own on this machine; otherwise they have the worker's. */
  hasUserPerSlot: boolean;
  programs: ExtraPrograms;
  /** Value of PATH for commands. */
  path: string;
}

export class IsolationUnavailableError extends Error {
  override name = 'IsolationUnavailableError';
  constructor(reason: string) {
    const problem = `Steps cannot be isolated here: ${reason.replace(/\.+$/, '')}.`;
    super(
      `${problem}\nRemove the cause, or set WORKER_ISOLATION=off to run steps without isolation (docs/guides/workers.md).`,
    );
  }
}

/** A sandbox that takes longer to start counts as broken. */
const TRIAL_TIMEOUT_MS = 10_000;
/** Other users can pass through the folder, but not list it. */
const PASS_THROUGH_MODE = 0o711;
const CHECK_EXECUTABLE = 'for program; do [ -x "$program" ] || exit 1; done';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface IsolationOptions {
  /** Folders that steps must not see. */
  hidden?: readonly string[];
  limits?: Limits;
  /** PATH on which bubblewrap is searched. */
  searchPath?: string;
}

/**
 * Tests by a trial what isolation this machine allows, and makes the folders that all sandboxes share below `folder`. With
 * `off` it tests whether commands can have users of their own.
 * @throws IsolationUnavailableError with the reason, if isolation is required and this machine does not allow it
 */
export async function prepareIsolation(
  setting: IsolationSetting,
  folder: string,
  options: IsolationOptions = {},
): Promise<Isolation> {
  const { hidden = [], limits = DEFAULT_LIMITS, searchPath = RUNNER_SEARCH_PATH } = options;
  const etc = join(folder, 'etc');
  makeEtcFolder(etc);
  removeDeadControlGroups();
  const programs = findExtraPrograms();
  if (setting === 'off') {
    const hasUserPerSlot = await canCommandsHaveOwnUser(folder, limits, Object.values(programs));
    const path = buildPath(programs, resolve(process.execPath, '..'));
    return { mode: 'off', limits, etc, devices: null, hasUserPerSlot, programs, path };
  }
  const findProblem = (candidate: string | null) =>
    findVisibleFolder([folder, ...hidden]) ??
    findSandboxProblem(folder, { etc, devices: candidate }, limits, searchPath);
  let devices = makeDevices(join(folder, 'dev'));
  // If the file system allows no devices, sandboxes use those of the machine.
  if (devices !== null && (await findProblem(devices)) !== null) devices = null;
  const reason = devices === null ? await findProblem(null) : null;
  if (reason !== null) throw new IsolationUnavailableError(reason);
  const hasUserPerSlot = await canSandboxesHaveOwnUser(folder, { etc, devices }, limits);
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

/** Steps in JavaScript need Node.js. If npm or a version manager installed it, it is in a home folder, which sandboxes lack. */
function findExtraPrograms(): ExtraPrograms {
  const isInstalled = ['/usr/local/bin/node', '/usr/bin/node'].some((path) => existsSync(path));
  return isInstalled ? {} : { node: process.execPath };
}

function findVisibleFolder(folders: readonly string[]): string | null {
  const seen = folders.find((path) => `${resolve(path)}/`.startsWith('/usr/'));
  return seen === undefined
    ? null
    : `${seen} is below /usr, which every step can read; move the data to another folder`;
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
    // With its standard input closed, the runner sends `ready` and exits.
    const child = promisify(execFile)(command, args, { timeout: TRIAL_TIMEOUT_MS, env: { PATH: searchPath } });
    child.child.stdin?.end();
    const { stdout } = await child;
    return stdout.includes('ready') ? null : 'the sandbox does not respond';
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
 * Whether sandboxes can have a user of their own. Only root can choose their user, and in some containers not even root. Other
 * users must also be able to read what root writes, which depends on its umask.
 */
async function canSandboxesHaveOwnUser(
  folder: string,
  shared: { etc: string; devices: string | null },
  limits: Limits,
): Promise<boolean> {
  if (process.getuid?.() !== 0 || (statSync(join(shared.etc, 'passwd')).mode & 0o004) === 0) return false;
  const trial = makeTrialFolders(folder);
  const uid = drawUserId();
  const sandboxOptions = { network: false, hasOwnUser: true };
  const runner = new RunnerProcess('supervisor');
  const timer = setTimeout(() => runner.kill(), TRIAL_TIMEOUT_MS);
  try {
    // Fails in a user namespace in which this id does not exist.
    for (const path of [trial.work, trial.step]) chownSync(path, uid, uid);
    await runner.nextResponse();
    const args = buildBwrapArguments({ ...trial, ...shared }, limits, sandboxOptions);
    const [kind] = await runner.request('sandbox', String(uid), ...args);
    return kind === 'ready';
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    await runner.close();
  }
}

/**
 * Whether commands without a sandbox can have a user of their own. Only root can choose it. That user must also reach the
 * folders of the slot, and programs outside of /usr: this function opens the worker's own folders for passing through, the
 * operator must open those above.
 */
async function canCommandsHaveOwnUser(folder: string, limits: Limits, programs: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const { work } = makeTrialFolders(folder);
  const uid = drawUserId();
  const runner = new RunnerProcess('unsandboxed', buildRlimitArguments(limits, true), uid);
  const timer = setTimeout(() => runner.kill(), TRIAL_TIMEOUT_MS);
  try {
    chmodSync(folder, PASS_THROUGH_MODE);
    chmodSync(join(folder, 'trial'), PASS_THROUGH_MODE);
    chownSync(work, uid, uid);
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
