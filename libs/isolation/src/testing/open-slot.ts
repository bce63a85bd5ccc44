import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InodePool } from '../folders/inode-pool.js';
import { DEFAULT_LIMITS, type Limits } from '../limits/limits.js';
import { prepareIsolation } from '../prepare/prepare-isolation.js';
import type { CommandExit } from '../slot/running-command.js';
import { Slot } from '../slot/slot.js';

export interface TestSlot {
  slot: Slot;
  folder: string;
  /** Runs a shell script. @returns its exit and its output */
  sh(this: void, script: string): Promise<CommandExit & { stdout: string; stderr: string }>;
  end(): Promise<void>;
}

/** A slot in a folder of its own, opened for `owner` with 256 MiB. The users of slots can reach it. */
export async function openSlot(
  setting: 'required' | 'off',
  limits: Partial<Limits> = {},
  network = false,
): Promise<TestSlot> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-slot-'));
  const isolation = await prepareIsolation(setting, folder, { limits: { ...DEFAULT_LIMITS, ...limits } });
  const slot = new Slot('slot-1', folder, { isolation, inodes: new InodePool(join(folder, 'spare')) });
  slot.reserve('owner');
  await slot.open({ network, memoryBytes: 256 * 1024 * 1024 });
  return {
    slot,
    folder,
    async sh(script) {
      writeFileSync(join(slot.folders.step, 'script'), script);
      const exit = await slot.run({
        argv: ['/bin/bash', `${slot.stepFolder}/script`],
        env: { PATH: isolation.path, HOME: slot.home },
      });
      const [stdout, stderr] = ['stdout', 'stderr'].map((name) =>
        readFileSync(join(slot.folders.step, name), 'latin1'),
      );
      return { ...exit, stdout: stdout ?? '', stderr: stderr ?? '' };
    },
    async end() {
      await slot.shutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether commands without a sandbox can be users of their own here: this process is root, and others reach its Node.js. */
export function canHaveUserPerSlot(): boolean {
  const isInstalled = ['/usr/local/bin/node', '/usr/bin/node'].some((path) => existsSync(path));
  return process.getuid?.() === 0 && (isInstalled || isReachable(process.execPath));
}

const isReachable = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === '/' || isReachable(dirname(path)));
