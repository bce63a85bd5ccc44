import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Container, V1ContainerState, V1ContainerStatus, V1Pod, V1PodCondition } from '@kubernetes/client-node';
import { StubContainer } from './stub-container.js';
import type { StubImage } from './stub-images.js';
import type { StoredObject } from './stub-store.js';

export type StoredPod = V1Pod & StoredObject;

export interface StubPodOptions {
  images: ReadonlyMap<string, StubImage>;
  nodeLabels: Record<string, string>;
  /** The pod has changed. */
  publish: (pod: StoredPod) => void;
  /** The pod has been deleted. */
  remove: (name: string) => void;
}

/** Grace periods are a tenth of what they are in a cluster, so that tests take less time. */
const SECOND_MS = 100;
/** Neither a user of a container nor the user of the test: containers may write to a volume, but not change its mode. */
const VOLUME_OWNER = 65_533;
/** How often memory and files are compared with their limits. */
const SAMPLE_INTERVAL_MS = 150;

/** A pod and its kubelet: runs init containers one after the other, then the others at the same time. */
export class StubPod {
  readonly containers = new Map<string, StubContainer>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'millrace-stub-pod-'));
  private readonly volumes = new Map<string, string>();
  private readonly states = new Map<string, V1ContainerState>();
  private readonly conditions: V1PodCondition[] = [];
  private isDeleted = false;
  private sampler: NodeJS.Timeout | undefined;

  constructor(
    readonly object: StoredPod,
    private readonly options: StubPodOptions,
  ) {}

  async run(): Promise<void> {
    const { spec } = this.object;
    const { initContainers = [], containers = [], volumes = [], nodeSelector = {} } = spec ?? {};
    const unmatched = Object.entries(nodeSelector).some(([name, value]) => this.options.nodeLabels[name] !== value);
    if (unmatched) {
      const message = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
      const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
      return this.publish({ conditions: [condition] });
    }
    for (const { name } of volumes) {
      const folder = join(this.folder, name);
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      if (process.getuid?.() === 0) chownSync(folder, VOLUME_OWNER, VOLUME_OWNER);
      this.volumes.set(name, folder);
    }
    for (const container of [...initContainers, ...containers])
      this.states.set(container.name, { waiting: { reason: 'PodInitializing' } });
    this.publish({});
    for (const container of initContainers) {
      if (!(await this.start(container))) return;
      const code = await this.containers.get(container.name)?.exited;
      this.states.set(container.name, {
        terminated: { exitCode: code ?? 1, reason: code === 0 ? 'Completed' : 'Error' },
      });
      this.publish({});
      if (code !== 0) return;
    }
    await Promise.all(containers.map((container) => this.start(container)));
    // Deleted meanwhile: nothing would end the timer.
    if (this.isDeleted) return;
    this.sampler = setInterval(() => this.enforceLimits(), SAMPLE_INTERVAL_MS);
  }

  /** What the kernel and the kubelet of a node do, by samples. */
  private enforceLimits(): void {
    const { containers = [], volumes = [] } = this.object.spec ?? {};
    for (const { name, resources } of containers) {
      const limit = Number(resources?.limits?.['memory'] ?? Infinity);
      if ((this.containers.get(name)?.measureMemory() ?? 0) > limit) this.killForMemory(name);
    }
    for (const { name, emptyDir } of volumes) {
      const limit = Number(emptyDir?.sizeLimit ?? Infinity);
      const folder = this.volumes.get(name);
      if (folder !== undefined && measureFolder(folder) > limit)
        void this.evict(`Usage of EmptyDir volume "${name}" exceeds the limit "${limit}".`);
    }
  }

  /** Ends a container as the kernel does if it has no memory left. */
  killForMemory(name: string): void {
    if (this.states.get(name)?.terminated) return;
    this.states.set(name, { terminated: { exitCode: 137, reason: 'OOMKilled' } });
    this.containers.get(name)?.kill('SIGKILL');
    this.publish({});
  }

  /** Ends the pod for good, as the kubelet does if it has too many files. */
  async evict(message: string): Promise<void> {
    clearInterval(this.sampler);
    this.publish({ phase: 'Failed', reason: 'Evicted', message });
    for (const container of this.containers.values()) container.kill('SIGKILL');
    await this.waitForEnd();
  }

  /** Deletes the pod as `kubectl drain` does, with its condition. */
  drain(): Promise<void> {
    const message = 'Eviction API: evicting';
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message };
    this.conditions.push(condition);
    this.publish({});
    return this.delete();
  }

  async delete(): Promise<void> {
    if (this.isDeleted) return;
    this.isDeleted = true;
    clearInterval(this.sampler);
    this.object.metadata.deletionTimestamp = new Date().toISOString() as unknown as Date;
    this.publish({});
    for (const container of this.containers.values()) container.kill('SIGTERM');
    const graceMs = (this.object.spec?.terminationGracePeriodSeconds ?? 30) * SECOND_MS;
    const timer = setTimeout(() => {
      for (const container of this.containers.values()) container.kill('SIGKILL');
    }, graceMs);
    await this.waitForEnd();
    clearTimeout(timer);
    rmSync(this.folder, { recursive: true, force: true });
    this.options.remove(this.object.metadata.name);
  }

  /** Removes the pod without a word to its containers, as if its node were gone. */
  async lose(): Promise<void> {
    this.isDeleted = true;
    clearInterval(this.sampler);
    this.options.remove(this.object.metadata.name);
    for (const container of this.containers.values()) container.kill('SIGKILL');
    await this.waitForEnd();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async waitForEnd(): Promise<void> {
    await Promise.all([...this.containers.values()].map(({ exited }) => exited));
  }

  private async start(container: V1Container): Promise<boolean> {
    const image = this.options.images.get(container.image ?? '');
    if (!image) {
      const message = `failed to resolve reference "${container.image ?? ''}": not found`;
      this.states.set(container.name, { waiting: { reason: 'ErrImagePull', message } });
      this.publish({});
      return false;
    }
    const user = container.securityContext?.runAsUser ?? this.object.spec?.securityContext?.runAsUser ?? 0;
    if (user === 0) throw new Error('A container of the stub must not be root.');
    const running = await StubContainer.start({ container, image, volumes: this.volumes, user });
    this.containers.set(container.name, running);
    if (this.isDeleted) running.kill('SIGKILL');
    this.states.set(container.name, { running: { startedAt: new Date().toISOString() as unknown as Date } });
    this.publish({});
    void running.exited.then((exitCode) => {
      if (this.states.get(container.name)?.terminated) return;
      this.states.set(container.name, { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } });
      this.publish({});
    });
    return true;
  }

  private publish(change: NonNullable<V1Pod['status']>): void {
    const { spec, status } = this.object;
    const describe = ({ name, image = '' }: V1Container): V1ContainerStatus => ({
      ...{ name, image, imageID: image, ready: this.states.get(name)?.running !== undefined, restartCount: 0 },
      state: this.states.get(name) ?? {},
    });
    this.object.status = {
      phase: [...this.containers.keys()].length > 1 ? 'Running' : 'Pending',
      ...(status?.reason !== undefined && status),
      ...(this.conditions.length > 0 && { conditions: this.conditions }),
      ...change,
      initContainerStatuses: (spec?.initContainers ?? []).map(describe),
      containerStatuses: (spec?.containers ?? []).map(describe),
    };
    if (this.isDeleted && this.object.metadata.deletionTimestamp === undefined) return;
    this.options.publish(this.object);
  }
}

/** Bytes of all files of a folder. Those that disappear in the meantime do not count. */
function measureFolder(folder: string): number {
  try {
    const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? measureFolder(path) : lstatSync(path).size;
    });
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
  }
}
