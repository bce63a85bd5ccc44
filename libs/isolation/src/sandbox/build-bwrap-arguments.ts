import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { type Limits, buildRlimitArguments } from '../limits/limits.js';
import { RUNNER_PATH } from '../runner/runner-process.js';
import { buildSandboxFilter } from '../seccomp/build-sandbox-filter.js';
import { listEtcMounts } from './etc-folder.js';
import { DEVICES } from './make-devices.js';

const WORK = '/work';

/** Paths as a command in a sandbox sees them. */
export const SANDBOX_PATHS = {
  work: WORK,
  input: `${WORK}/in`,
  step: '/step',
  workspace: '/workspace',
  temporary: '/tmp',
  bin: '/opt/millrace/bin',
  system: '/usr',
  runner: '/opt/millrace/runner.pl',
} as const;

export interface SandboxFolders {
  /** Working directory, writable. It must contain a folder `in`, on which `input` is mounted. */
  work: string;
  /** Inputs, read-only: they may be hard links to stored objects. */
  input: string;
  /** The script and the output of the command. */
  step: string;
  /** A writable folder that stays when all others are emptied. */
  workspace?: string;
  etc: string;
  /** Device nodes to use instead of the machine's; null to use the machine's. */
  devices: string | null;
}

/** What differs between sandboxes, apart from their folders. */
export interface SandboxOptions {
  /** Whether commands have the network of the machine. */
  network: boolean;
  /** Whether the supervisor puts the sandbox into a user namespace of the slot's user; otherwise bubblewrap makes one. */
  hasOwnUser: boolean;
}

/** Programs outside of /usr that every sandbox gets, by name. */
export type ExtraPrograms = Record<string, string>;

const FILTER = buildSandboxFilter(process.arch);

/**
 * Command line of one sandbox. It has user 65534 without capabilities, namespaces of its own (mount, process, IPC, host name,
 * control group, and network unless `network`), the machine's /usr read-only, and nothing else of the machine. It works for
 * root and for ordinary users.
 *
 * /proc is read-only because of workers that are root: if their sandboxes have no user of their own, they own /proc/sys even
 * without capabilities. Bubblewrap's own cover misses this, because it checks whether the folder is writable, not the files.
 * Manual: bwrap(1) of bubblewrap 0.8.
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
    ...['--ro-bind', RUNNER_PATH, SANDBOX_PATHS.runner, ...bindPrograms(programs)],
    ...['--remount-ro', '/', '--chdir', SANDBOX_PATHS.work],
    ...[
      'perl',
      SANDBOX_PATHS.runner,
      'sandbox',
      process.arch,
      ...(FILTER ? [`seccomp:${FILTER.toString('hex')}`] : []),
      ...buildRlimitArguments(limits, true),
    ],
  ];
}

/** On a system with a merged /usr these are links into it; on others they are folders. */
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
