import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bwrapArguments, SANDBOX, type ExtraPrograms } from './bwrap-arguments.js';
import { removeDeadControlGroups } from './control-group.js';
import { drawUser } from './draw-user.js';
import { makeEtcFolder } from './etc-folder.js';
import { Keeper, KEEPER_PATH } from './keeper.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { makeDevices } from './make-devices.js';

/** `auto` takes what the machine has, `required` refuses to go without a sandbox, `off` runs commands as they are. */
export type IsolationWish = 'auto' | 'required' | 'off';

/** How commands run in this process, decided once at its start. */
export interface Isolation {
  mode: 'sandbox' | 'off';
  /** Why there is no sandbox, to be said loudly; null where there is one. */
  reason: string | null;
  limits: Limits;
  /** Folder that sandboxes see as /etc. */
  etc: string;
  /** Folder of their device nodes, or null: those of the machine. */
  devices: string | null;
  /** Whether each slot's sandboxes are a user of the machine of their own; else they are who the worker is. */
  ownUsers: boolean;
  programs: ExtraPrograms;
  /** Value of PATH for commands. */
  path: string;
}

export class IsolationUnavailable extends Error {
  override name = 'IsolationUnavailable';
}

/** A sandbox that takes longer to start does not work. */
const TRIAL_MS = 10_000;
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
 * Throws `IsolationUnavailable` where the wish cannot be met.
 */
export async function prepareIsolation(
  wish: IsolationWish,
  folder: string,
  options: IsolationOptions = {},
): Promise<Isolation> {
  const { hidden = [], limits = DEFAULT_LIMITS, searchPath = KEEPER_PATH } = options;
  const etc = join(folder, 'etc');
  makeEtcFolder(etc);
  removeDeadControlGroups();
  const programs = programsOutsideOfSystem();
  const forbids = (devices: string | null) =>
    findVisible([folder, ...hidden]) ?? tryOne(folder, { etc, devices }, limits, searchPath);
  let devices = wish === 'off' ? null : makeDevices(join(folder, 'dev'));
  // Where the folder's file system takes no devices, those of the machine have to do.
  if (devices !== null && (await forbids(devices)) !== null) devices = null;
  const reason = wish === 'off' ? 'isolation is switched off' : devices === null ? await forbids(null) : null;
  if (wish === 'required' && reason !== null)
    throw new IsolationUnavailable(`steps cannot be isolated here: ${reason}`);
  const ownUsers = reason === null && (await takesOwnUsers(folder, { etc, devices }, limits));
  const extra = reason === null ? SANDBOX.bin : resolve(process.execPath, '..');
  const path =
    reason === null && Object.keys(programs).length === 0 ? SYSTEM_PATH : `${SYSTEM_PATH}${delimiter}${extra}`;
  return { mode: reason === null ? 'sandbox' : 'off', reason, limits, etc, devices, ownUsers, programs, path };
}

/** A Node from npm or a version manager lies in somebody's home: steps in JavaScript need one all the same. */
function programsOutsideOfSystem(): ExtraPrograms {
  const known = ['/usr/local/bin/node', '/usr/bin/node'].some((path) => existsSync(path));
  return known ? {} : { node: process.execPath };
}

function findVisible(folders: readonly string[]): string | null {
  const seen = folders.find((path) => `${resolve(path)}/`.startsWith('/usr/'));
  return seen === undefined ? null : `${seen} lies below /usr, which every step can read; keep data elsewhere`;
}

async function tryOne(
  folder: string,
  shared: { etc: string; devices: string | null },
  limits: Limits,
  searchPath: string,
): Promise<string | null> {
  const trial = { ...makeTrial(folder), ...shared };
  const [command = 'bwrap', ...args] = bwrapArguments(trial, limits, { network: false, ownUser: false });
  try {
    // With its standard input closed, the runner says `ready` and leaves.
    const child = promisify(execFile)(command, args, { timeout: TRIAL_MS, env: { PATH: searchPath } });
    child.child.stdin?.end();
    const { stdout } = await child;
    return stdout.includes('ready') ? null : 'the sandbox does not answer';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return 'bubblewrap is not installed (apt-get install bubblewrap)';
    return `bubblewrap does not work: ${(error as { stderr?: string }).stderr?.trim() || String(error)}`;
  }
}

function makeTrial(folder: string): { work: string; input: string; step: string } {
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
async function takesOwnUsers(
  folder: string,
  shared: { etc: string; devices: string | null },
  limits: Limits,
): Promise<boolean> {
  if (process.getuid?.() !== 0 || (statSync(join(shared.etc, 'passwd')).mode & 0o004) === 0) return false;
  const trial = makeTrial(folder);
  const user = drawUser();
  for (const path of [trial.work, trial.step]) chownSync(path, user, user);
  const rights = { network: false, ownUser: true };
  const keeper = new Keeper('keeper');
  const timer = setTimeout(() => keeper.kill(), TRIAL_MS);
  try {
    await keeper.answer();
    const args = bwrapArguments({ ...trial, ...shared }, limits, rights);
    const [answer] = await keeper.ask('sandbox', String(user), ...args);
    return answer === 'ready';
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    await keeper.close();
  }
}
