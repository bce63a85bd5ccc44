import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessEnv } from '@millrace/service/startup/env';
import { startApps, type StartService, type System } from './start-apps.js';

export interface SystemWithStore extends System {
  /** The folder of the objects that the services read and write (`new DiskStore(folder)`). */
  folder: string;
}

/** Starts services as `startApps` does, with a folder for objects. `close` removes the folder, too. */
export async function startWithStore(starts: readonly StartService[], env: ProcessEnv = {}): Promise<SystemWithStore> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-store-'));
  const system = await startApps(starts, { STORAGE_DIR: folder, ...env });
  const close = async () => {
    await system.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...system, folder, close };
}
