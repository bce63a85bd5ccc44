import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimWorkFolder, type WorkFolder } from './claim-work-folder.js';

let root: string;
let claimed: WorkFolder[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-claim-'));
  claimed = [];
});
afterEach(() => {
  for (const claim of claimed) claim.release();
  rmSync(root, { recursive: true, force: true });
});

async function claimFolder(...wipe: Parameters<typeof claimWorkFolder> extends [string, ...infer Rest] ? Rest : never) {
  const claim = await claimWorkFolder(root, ...wipe);
  claimed.push(claim);
  return claim;
}

function releaseAll(): void {
  for (const claim of claimed.splice(0)) claim.release();
}

describe('a work folder', () => {
  it('has one owner, even if workers start at the same time', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => claimFolder()));
    expect(new Set(claims.map((claim) => claim.folder)).size).toBe(3);
    expect(new Set(claims.map((claim) => claim.worker)).size).toBe(3);
    expect(claims.map((claim) => claim.replaces)).toEqual([null, null, null]);
  });

  it('is emptied after its owner has ended, and passes to the next worker with the id of that owner', async () => {
    const { folder, worker } = await claimFolder();
    mkdirSync(join(folder, 'slot-1/work'), { recursive: true });
    releaseAll();
    const next = await claimFolder();
    expect(next).toMatchObject({ folder, replaces: worker });
    expect(next.worker).not.toBe(worker);
    expect(existsSync(join(folder, 'slot-1'))).toBe(false);
    releaseAll();
    expect((await claimFolder()).replaces).toBe(next.worker);
  });

  it('that cannot be emptied is set aside, and removed at a later start', async () => {
    const { worker } = await claimFolder();
    releaseAll();
    mkdirSync(join(root, 'worker-1/slot-1'), { recursive: true });
    const claim = await claimFolder(() => Promise.reject(new Error('no way')));
    expect(claim).toMatchObject({ folder: join(root, 'worker-1'), replaces: worker });
    expect(existsSync(join(claim.folder, 'slot-1'))).toBe(false);
    const leftovers = () => readdirSync(root).filter((name) => name.startsWith('leftover-'));
    expect(leftovers()).toHaveLength(1);
    await claimFolder();
    expect(leftovers()).toEqual([]);
  });
});
