import { chmodSync } from 'node:fs';
import { type ContainerExecutor } from '@millrace/containers/container-executor';
import { ContainerSlot } from '@millrace/containers/slot/container-slot';
import { type Step } from '@millrace/graph/plan/plan';
import { type InodePool } from '@millrace/isolation/folders/inode-pool';
import { type WipeOffThread } from '@millrace/isolation/folders/wipe-folder';
import { prepareIsolation, type Isolation } from '@millrace/isolation/prepare/prepare-isolation';
import { Slot } from '@millrace/isolation/slot/slot';
import { type StepSlot } from '@millrace/isolation/slot/step-slot';
import { type WorkFolder } from '../core/claim-work-folder.js';
import { limitsOf, type CoreEnv } from '../env.js';
import { makeExecutor } from './make-executor.js';
import { StepImages } from './step-images.js';

export interface ExecutionSlotOptions {
  inodes: InodePool;
  wipeOffThread: WipeOffThread;
}

/** How this worker runs steps, decided once at its start. */
export interface Execution {
  /** For the log: `sandboxes`, `no isolation`, or the executor of containers. */
  description: string;
  /** Whether steps run in sandboxes or containers. */
  isIsolated: boolean;
  /** Of commands on this machine; null if steps run in containers. Sandboxes of sessions need it. */
  isolation: Isolation | null;
  makeSlot(name: string, options: ExecutionSlotOptions): StepSlot;
  /** Image that a step runs in; null if it runs on this machine. */
  imageOf(step: Step): string | null;
  /** What the program of a step sees apart from its inputs, for the cache; null if that may change by itself. */
  runnerOf(step: Step): readonly string[] | null;
  /** Ends what runs outside of this process. */
  close(): Promise<void>;
}

/**
 * Tests that steps can run here as the settings say.
 * @throws IsolationUnavailableError or ExecutorUnavailableError with the reason
 */
export async function prepareExecution(env: CoreEnv, workFolder: WorkFolder): Promise<Execution> {
  const { WORKER_EXECUTOR: executor, WORKER_IMAGE: image } = env;
  if (executor === 'sandbox') return prepareSandboxes(env, workFolder.folder);
  if (image === undefined) throw new Error(`WORKER_IMAGE is not set, but WORKER_EXECUTOR is "${executor}"`);
  const made = await makeExecutor(executor, { workFolder, defaultImage: image, env });
  return prepareContainers(made, image, env, workFolder.folder);
}

async function prepareSandboxes(env: CoreEnv, folder: string): Promise<Execution> {
  const hidden = [env.STORAGE_DIR, env.WORK_DIR];
  // Without isolation nothing is mounted: the users of slots pass through this folder.
  if (env.WORKER_ISOLATION === 'off') chmodSync(env.WORK_DIR, 0o711);
  const isolation = await prepareIsolation(env.WORKER_ISOLATION, folder, { hidden, limits: limitsOf(env) });
  const runner = [isolation.mode];
  return {
    description: isolation.mode === 'sandbox' ? 'sandboxes' : 'no isolation',
    isIsolated: isolation.mode === 'sandbox',
    isolation,
    makeSlot: (name, options) => new Slot(name, folder, { isolation, ...options }),
    imageOf: () => null,
    runnerOf: () => runner,
    close: async () => undefined,
  };
}

async function prepareContainers(
  executor: ContainerExecutor,
  defaultImage: string,
  env: CoreEnv,
  folder: string,
): Promise<Execution> {
  await executor.prepare();
  const limits = limitsOf(env);
  const images = new StepImages(executor.kind, defaultImage);
  return {
    description: `containers of ${executor.kind}`,
    isIsolated: true,
    isolation: null,
    makeSlot: (name, options) => new ContainerSlot(name, folder, { executor, limits, ...options }),
    imageOf: (step) => images.of(step),
    runnerOf: (step) => images.runnerOf(step),
    close: () => executor.close(),
  };
}
