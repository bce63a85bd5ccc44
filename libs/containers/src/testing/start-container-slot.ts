import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InodePool } from '@millrace/isolation/folders/inode-pool';
import { DEFAULT_LIMITS, type Limits } from '@millrace/isolation/limits/limits';
import type { CommandExit } from '@millrace/isolation/slot/running-command';
import type { StepRequirements } from '@millrace/isolation/slot/step-slot';
import type { ContainerExecutor } from '../container-executor.js';
import { ContainerSlot } from '../slot/container-slot.js';

export type RunOptions = Partial<StepRequirements> & { env?: Record<string, string> };

export interface TestContainerSlot {
  slot: ContainerSlot;
  /** Opens the slot with 256 MiB, and runs a command in it. @returns its exit and its output as Latin-1 */
  run(
    this: void,
    argv: readonly string[],
    options?: RunOptions,
  ): Promise<CommandExit & { stdout: string; stderr: string }>;
  /** The same with a shell script. */
  sh(this: void, script: string, options?: RunOptions): ReturnType<TestContainerSlot['run']>;
  end(): Promise<void>;
}

/** A slot in a folder of its own, reserved for `owner`, whose commands run in containers of `image`. */
export function startContainerSlot(
  executor: ContainerExecutor,
  image: string,
  limits: Partial<Limits> = {},
): TestContainerSlot {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-container-'));
  const slot = new ContainerSlot('slot-1', folder, {
    ...{ executor, limits: { ...DEFAULT_LIMITS, ...limits } },
    inodes: new InodePool(join(folder, 'spare')),
  });
  slot.reserve('owner');
  const run: TestContainerSlot['run'] = async (argv, { env = {}, ...requirements } = {}) => {
    await slot.open({ network: false, memoryBytes: 256 * 1024 * 1024, image, ...requirements });
    const exit = await slot.run({ argv, env: { HOME: slot.home, ...env } });
    const [stdout = '', stderr = ''] = ['stdout', 'stderr'].map((name) =>
      readFileSync(join(slot.folders.step, name), 'latin1'),
    );
    return { ...exit, stdout, stderr };
  };
  return {
    slot,
    run,
    sh: (script, options) => run(['sh', '-c', script], options),
    async end() {
      await slot.shutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
