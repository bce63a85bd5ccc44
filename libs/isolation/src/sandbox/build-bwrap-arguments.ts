import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { buildRlimitArguments, type Limits } from '../limits/limits.js';
import { RUNNER_PATH } from '../runner/runner-path.js';
import { listEtcMounts } from './etc-folder.js';
import { DEVICES } from './make-devices.js';

const WORK = '/work';

/** Where things lie as a command in a sandbox sees them. */
export const SANDBOX_PATHS = {
  work: WORK,
  input: `${WORK}/in`,
  step: '/step',
  workspace: '/workspace',
  temporary: '/tmp',
  bin: '/opt/millrace/bin',
  system: '/usr',
} as const;

export interface SandboxFolders {
  /** Working directory, writable; it must hold a folder `in` for the next to be mounted on. */
  work: string;
  /** Inputs, read-only: they may be other names of stored objects. */
  input: string;
  /** Beside the working directory: the script, and what the command prints. */
  step: string;
  /** A writable folder that stays when all others are emptied; none where it is absent. */
  workspace?: string;
  etc: string;
  /** Device nodes to use instead of the machine's; null where there are none. */
  devices: string | null;
}

/** What a sandbox may beside its folders. */
export interface SandboxOptions {
  network: boolean;
  /** Whether it is put into a user namespace of its own user, which the keeper makes; else it makes one of the worker's. */
  hasOwnUser: boolean;
}

/** Programs that the machine has outside of /usr and every sandbox gets, by name. */
export type ExtraPrograms = Record<string, string>;

/**
 * Command line of one sandbox: an own user (65534, without capabilities), mount, process, IPC, host name and control group
 * namespace, an own network unless `network`, the machine's /usr read-only, and nothing else of the machine. Works for
 * root and for ordinary users alike. /proc is read-only because a worker that is root stays, where sandboxes have no user of
 * their own, the owner of /proc/sys without capabilities too, and bubblewrap's own cover misses it (it asks whether the
 * folder is writable, not the files). Manual: bwrap(1) of bubblewrap 0.8.
 */
export function buildBwrapArguments(
  folders: SandboxFolders,
  limits: Limits,
  { network, hasOwnUser }: SandboxOptions,
  programs: ExtraPrograms = {},
): string[] {
  const size = String(limits.temporaryBytes);
  return [
    'bwrap',
    ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...(hasOwnUser ? [] : ['--unshare-user', '--disable-userns']),
    ...['--uid', '65534', '--gid', '65534'],
    ...['--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL', '--clearenv', '--hostname', 'step'],
    ...['--ro-bind', '/usr', SANDBOX_PATHS.system, ...bindSystemFolders()],
    ...[
      '--ro-bind',
      folders.etc,
      '/etc',
      ...listEtcMounts().flatMap((path) => ['--ro-bind', path, path]),
      ...(network ? bindResolver() : []),
    ],
    ...[
      '--proc',
      '/proc',
      '--remount-ro',
      '/proc',
      '--dev',
      '/dev',
      '--size',
      size,
      '--tmpfs',
      '/dev/shm',
      ...bindDevices(folders.devices),
      '--remount-ro',
      '/dev',
    ],
    ...['--size', size, '--tmpfs', SANDBOX_PATHS.temporary],
    ...[
      '--bind',
      folders.work,
      SANDBOX_PATHS.work,
      '--ro-bind',
      folders.input,
      SANDBOX_PATHS.input,
      '--bind',
      folders.step,
      SANDBOX_PATHS.step,
    ],
    ...(folders.workspace === undefined ? [] : ['--bind', folders.workspace, SANDBOX_PATHS.workspace]),
    ...['--ro-bind', RUNNER_PATH, '/opt/millrace/runner.pl', ...bindPrograms(programs)],
    ...['--remount-ro', '/', '--chdir', SANDBOX_PATHS.work],
    ...['perl', '/opt/millrace/runner.pl', 'sandbox', process.arch, ...buildRlimitArguments(limits, true)],
  ];
}

/** /bin and its like: links into /usr on a merged system, folders of their own on others. */
function bindSystemFolders(): string[] {
  return ['/bin', '/sbin', '/lib', '/lib32', '/lib64'].filter(existsSync).flatMap((path) => {
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
  });
}

function bindDevices(folder: string | null): string[] {
  return folder === null
    ? []
    : Object.keys(DEVICES).flatMap((name) => ['--dev-bind', `${folder}/${name}`, `/dev/${name}`]);
}

function bindResolver(): string[] {
  return existsSync('/etc/resolv.conf') ? ['--ro-bind', realpathSync('/etc/resolv.conf'), '/etc/resolv.conf'] : [];
}

function bindPrograms(programs: ExtraPrograms): string[] {
  return Object.entries(programs).flatMap(([name, path]) => ['--ro-bind', path, `${SANDBOX_PATHS.bin}/${name}`]);
}
