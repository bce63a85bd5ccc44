import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '@millrace/isolation/limits/limits';
import { CONTAINER_PATHS, type ContainerCommand } from '../container-executor.js';
import { buildContainer } from './build-container.js';

const command: ContainerCommand = {
  image: 'debian:12',
  argv: ['sort', '-u', 'in/a/list.txt'],
  env: { HOME: '/tmp', LC_CTYPE: 'C.UTF-8' },
  folders: { work: '/w/work', input: '/w/in', output: '/w/work/out', step: '/w/step' },
  uid: 1_900_000_000,
  network: false,
  memoryBytes: 2 ** 31,
  limits: DEFAULT_LIMITS,
};
const build = (change: Partial<ContainerCommand> = {}, volumes: string[] = []) =>
  buildContainer(
    { ...command, ...change },
    { labels: { worker: 'w-1' }, volumes, worker: { uid: 1000, gid: 1001 } },
  ) as Record<string, unknown> & { HostConfig: Record<string, unknown> };

describe('the container of a command', () => {
  it('runs its arguments in place of the entrypoint of the image', () => {
    expect(build()).toMatchObject({
      ...{
        Image: 'debian:12',
        Entrypoint: ['sort'],
        Cmd: ['-u', 'in/a/list.txt'],
        WorkingDir: CONTAINER_PATHS.work,
        Tty: false,
      },
      Env: ['TINI_KILL_PROCESS_GROUP=1', 'HOME=/tmp', 'LC_CTYPE=C.UTF-8'],
      Labels: { worker: 'w-1' },
    });
  });

  it('has the user of its slot, or that of the worker', () => {
    expect([build()['User'], build({ uid: null })['User']]).toEqual(['1900000000:1900000000', '1000:1001']);
  });

  it('can write to the working directory and a folder in memory, and to nothing else', () => {
    const { Mounts, Tmpfs, ReadonlyRootfs } = build().HostConfig;
    expect(Mounts).toMatchObject([
      { Type: 'bind', Source: '/w/work', Target: CONTAINER_PATHS.work, ReadOnly: false },
      { Type: 'bind', Source: '/w/in', Target: CONTAINER_PATHS.input, ReadOnly: true },
    ]);
    expect([Object.keys(Tmpfs as object), ReadonlyRootfs]).toEqual([['/tmp'], true]);
  });

  it('has the volumes of its image in memory', () => {
    const { Mounts } = build({}, ['/data', `${CONTAINER_PATHS.work}/`]).HostConfig;
    expect((Mounts as object[]).slice(2)).toMatchObject([
      { Type: 'tmpfs', Target: '/data', TmpfsOptions: { SizeBytes: DEFAULT_LIMITS.temporaryBytes } },
    ]);
  });

  it('has the limits of its step, and no swap', () => {
    expect(build().HostConfig).toMatchObject({
      ...{ Memory: 2 ** 31, MemorySwap: 2 ** 31, PidsLimit: DEFAULT_LIMITS.processes },
      Ulimits: expect.arrayContaining([
        { Name: 'fsize', Soft: DEFAULT_LIMITS.fileBytes, Hard: DEFAULT_LIMITS.fileBytes },
        { Name: 'nofile', Soft: DEFAULT_LIMITS.openFiles, Hard: DEFAULT_LIMITS.openFiles },
      ]),
    });
  });

  it('has no privileges, keeps the seccomp profile of the daemon, and is not started again', () => {
    expect(build().HostConfig).toMatchObject({
      ...{ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges:true'], Privileged: false, Init: true },
      ...{ RestartPolicy: { Name: 'no' }, LogConfig: { Type: 'none' } },
    });
  });

  it('has a network only if its step has one', () => {
    expect([build(), build({ network: true })].map(({ HostConfig }) => HostConfig['NetworkMode'])).toEqual([
      'none',
      'default',
    ]);
  });
});
