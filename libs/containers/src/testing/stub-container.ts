import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { V1Container } from '@kubernetes/client-node';
import type { StubImage } from './stub-images.js';

export interface ContainerOptions {
  container: V1Container;
  image: StubImage;
  /** Folder of each volume. */
  volumes: ReadonlyMap<string, string>;
  user: number;
}

/** A container of the stub: a process in namespaces of its own, with the root of its image and the pod's volumes. */
export class StubContainer {
  /** Exit code of process 1, as a runtime reports it. */
  readonly exited: Promise<number>;
  output = '';

  private constructor(
    child: ChildProcess,
    private readonly env: Record<string, string>,
    /** Process 1 of the container, as the machine numbers it. */
    private readonly pid: number,
  ) {
    this.exited = once(child, 'close').then(([code]) => (code as number | null) ?? 137);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (this.output += part));
  }

  static async start({ container, image, volumes, user }: ContainerOptions): Promise<StubContainer> {
    const mounts = (container.volumeMounts ?? []).flatMap(({ name, mountPath, readOnly, subPath = '' }) => {
      const folder = volumes.get(name);
      if (folder === undefined) throw new Error(`The pod has no volume ${name}.`);
      return [readOnly ? '--ro-bind' : '--bind', join(folder, subPath), mountPath];
    });
    const argv = [
      ...['--unshare-user', '--uid', String(user), '--gid', String(user), '--unshare-pid', '--as-pid-1'],
      ...['--unshare-ipc', '--die-with-parent', '--cap-drop', 'ALL', '--info-fd', '3', '--clearenv'],
      ...Object.entries(image.env).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--setenv', 'KUBERNETES_SERVICE_HOST', '10.96.0.1'],
      ...image.root,
      ...['--proc', '/proc', '--dev', '/dev'],
      ...mounts,
      ...['--remount-ro', '/', '--chdir', container.workingDir ?? '/'],
      ...['--', ...(container.command ?? []), ...(container.args ?? [])],
    ];
    const child = spawn('bwrap', argv, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const info = await text(child.stdio[3] as NodeJS.ReadableStream);
    const { 'child-pid': pid } = JSON.parse(info === '' ? '{"child-pid":0}' : info) as { 'child-pid': number };
    return new StubContainer(child, { ...image.env }, pid);
  }

  /** Starts a process beside process 1, as `kubectl exec` does. */
  exec(command: readonly string[]): ChildProcess {
    const enter = ['--target', String(this.pid), '--user', '--mount', '--pid', '--preserve-credentials', '--'];
    return spawn('nsenter', [...enter, ...command], { env: this.env, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** Resident bytes of all of its processes. */
  measureMemory(): number {
    return [this.pid, ...listDescendants(this.pid)].reduce((sum, pid) => sum + measureProcess(pid), 0);
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      if (this.pid > 0) process.kill(this.pid, signal);
    } catch {
      // It has ended.
    }
  }
}

function listDescendants(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((text) => text !== '');
  return children.map(Number).flatMap((child) => [child, ...listDescendants(child)]);
}

function measureProcess(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
