import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessEnv } from '@millrace/service/env';
import { startApps, type Start, type System } from './start-apps.js';

export interface StoringSystem extends System {
  /** Where the objects lie that the services read and write (`new DiskStore(folder)`). */
  folder: string;
}

/** Services as of `startApps` that have to do with objects; `close` removes these, too. */
export async function startWithStore(starts: readonly Start[], env: ProcessEnv = {}): Promise<StoringSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-store-'));
  const system = await startApps(starts, { STORAGE_DIR: folder, ...env });
  const close = async () => {
    await system.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...system, folder, close };
}
