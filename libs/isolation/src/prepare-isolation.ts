import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bwrapArguments, SANDBOX, type ExtraPrograms } from './bwrap-arguments.js';
import { removeDeadControlGroups } from './control-group.js';
import { makeEtcFolder } from './etc-folder.js';
import { makeDevices } from './make-devices.js';
import { KEEPER_PATH } from './keeper.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';

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
  programs: ExtraPrograms;
  /** Value of PATH for commands. */
  path: string;
}

export class IsolationUnavailable extends Error {
  override name = 'IsolationUnavailable';
}

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
  const extra = reason === null ? SANDBOX.bin : resolve(process.execPath, '..');
  const path =
    reason === null && Object.keys(programs).length === 0 ? SYSTEM_PATH : `${SYSTEM_PATH}${delimiter}${extra}`;
  return { mode: reason === null ? 'sandbox' : 'off', reason, limits, etc, devices, programs, path };
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
  const trial = {
    work: join(folder, 'trial/work'),
    input: join(folder, 'trial/in'),
    step: join(folder, 'trial/step'),
    ...shared,
  };
  for (const path of [join(trial.work, 'in'), trial.input, trial.step]) mkdirSync(path, { recursive: true });
  const [command = 'bwrap', ...args] = bwrapArguments(trial, limits, false);
  try {
    // With its standard input closed, the runner says `ready` and leaves.
    const child = promisify(execFile)(command, args, { timeout: 10_000, env: { PATH: searchPath } });
    child.child.stdin?.end();
    const { stdout } = await child;
    return stdout.includes('ready') ? null : 'the sandbox does not answer';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return 'bubblewrap is not installed (apt-get install bubblewrap)';
    return `bubblewrap does not work: ${(error as { stderr?: string }).stderr?.trim() || String(error)}`;
  }
}
