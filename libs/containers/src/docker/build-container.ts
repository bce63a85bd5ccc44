import { CONTAINER_PATHS, type ContainerCommand } from '../container-executor.js';

/** The user of containers, as numbers. */
export interface ContainerUser {
  uid: number;
  gid: number;
}

export interface ContainerBody {
  labels: Record<string, string>;
  /** Folders for which the image declares a volume. They are in memory, because a volume would have no limit. */
  volumes: readonly string[];
  /** User of this process, which commands have if their slot has none of its own. */
  worker: ContainerUser;
}

/**
 * The body of `POST /containers/create` for a command. Its argument vector replaces entrypoint and command of the image. The
 * default seccomp profile of the daemon stays.
 */
export function buildContainer(
  command: ContainerCommand,
  { labels, volumes, worker }: ContainerBody,
): Record<string, unknown> {
  const { image, argv, env, uid, network, memoryBytes, limits, folders } = command;
  const user = uid === null ? worker : { uid, gid: uid };
  const [program = '', ...args] = argv;
  return {
    Image: image,
    Entrypoint: [program],
    Cmd: args,
    Env: Object.entries(withInitVariables(env)).map(([name, value]) => `${name}=${value}`),
    User: `${user.uid}:${user.gid}`,
    WorkingDir: CONTAINER_PATHS.work,
    Labels: labels,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    // Images can run a check of their health as a process beside the command.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      Mounts: [
        bindMount(folders.work, CONTAINER_PATHS.work, false),
        bindMount(folders.input, CONTAINER_PATHS.input, true),
        ...volumes.filter(isOwnFolder).map((target) => memoryMount(target, limits.temporaryBytes)),
      ],
      // The mode can be that of the image's folder, so the user owns it.
      Tmpfs: {
        [CONTAINER_PATHS.temporary]: `rw,exec,nosuid,nodev,mode=1777,uid=${user.uid},gid=${user.gid},size=${limits.temporaryBytes}`,
      },
      ShmSize: limits.temporaryBytes,
      Memory: memoryBytes,
      // The sum of memory and swap: no swap.
      MemorySwap: memoryBytes,
      PidsLimit: limits.processes,
      Ulimits: [ulimit('fsize', limits.fileBytes), ulimit('nofile', limits.openFiles), ulimit('core', 0)],
      NetworkMode: network ? 'default' : 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Privileged: false,
      // A daemon with a user namespace for containers would give the folders to other users.
      UsernsMode: 'host',
      IpcMode: 'private',
      Init: true,
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
      LogConfig: { Type: 'none', Config: {} },
    },
  };
}

/** The first process of a container (tini) then passes signals to the process group of the command, as a sandbox does. */
const withInitVariables = (env: Readonly<Record<string, string>>) => ({ TINI_KILL_PROCESS_GROUP: '1', ...env });

const bindMount = (source: string, target: string, isReadOnly: boolean) => ({
  Type: 'bind',
  Source: source,
  Target: target,
  ReadOnly: isReadOnly,
  BindOptions: { Propagation: 'rprivate' },
});

/** A folder that the container does not have from its step. */
const isOwnFolder = (path: string): boolean =>
  !Object.values<string>(CONTAINER_PATHS).includes(path.replace(/\/+$/, ''));

const memoryMount = (target: string, size: number) => ({
  Type: 'tmpfs',
  Target: target,
  TmpfsOptions: { SizeBytes: size, Mode: 0o1777 },
});

const ulimit = (name: string, value: number) => ({ Name: name, Soft: value, Hard: value });
