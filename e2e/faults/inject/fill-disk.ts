import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DISKS } from '../cases/fault-case.js';
import type { ReachedEdge } from '../edges/reach-edge.js';

const FULL_MS = 6_000;

/** Keeps a disk full for a while, of bytes or of inodes. */
export async function fillDisk(
  { disk, of }: { disk: (typeof DISKS)[number]; of: 'bytes' | 'inodes' },
  edge: ReachedEdge,
): Promise<void> {
  const { folder } = edge.matrix.system;
  const ballast = new Ballast(join(disk === 'data' ? folder : join(folder, disk), 'ballast'), of);
  try {
    ballast.fill();
    await edge.pass();
    // Other files may be deleted during the test.
    for (const end = Date.now() + FULL_MS; Date.now() < end; await sleep(200)) ballast.fill();
  } finally {
    ballast.remove();
  }
}

/** Files that occupy all that is free of a disk. */
class Ballast {
  private files = 0;

  constructor(
    private readonly folder: string,
    private readonly of: 'bytes' | 'inodes',
  ) {
    mkdirSync(folder, { recursive: true });
  }

  fill(): void {
    try {
      if (this.of === 'inodes') for (;;) writeFileSync(join(this.folder, String(this.files++)), '');
      for (const size of [1024 * 1024, 4096]) this.write(size);
    } catch {
      // The disk is full.
    }
  }

  private write(size: number): void {
    const file = openSync(join(this.folder, 'bytes'), 'a');
    try {
      while (writeSync(file, Buffer.alloc(size)) > 0);
    } catch {
      // The disk is full for pieces of this size.
    } finally {
      closeSync(file);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
