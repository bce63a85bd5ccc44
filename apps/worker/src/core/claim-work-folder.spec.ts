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
  for (const place of claimed) place.release();
  rmSync(root, { recursive: true, force: true });
});

async function claim(...wipe: Parameters<typeof claimWorkFolder> extends [string, ...infer Rest] ? Rest : never) {
  const place = await claimWorkFolder(root, ...wipe);
  claimed.push(place);
  return place;
}

function releaseAll(): void {
  for (const place of claimed.splice(0)) place.release();
}

describe('a work folder', () => {
  it('has one owner, even if workers start at the same time', async () => {
    const places = await Promise.all([1, 2, 3].map(() => claim()));
    expect(new Set(places.map((place) => place.folder)).size).toBe(3);
    expect(new Set(places.map((place) => place.worker)).size).toBe(3);
    expect(places.map((place) => place.replaces)).toEqual([null, null, null]);
  });

  it('passes, emptied, to the next worker after its owner is gone, with the id of that owner', async () => {
    const { folder, worker } = await claim();
    mkdirSync(join(folder, 'slot-1/work'), { recursive: true });
    releaseAll();
    const next = await claim();
    expect(next).toMatchObject({ folder, replaces: worker });
    expect(next.worker).not.toBe(worker);
    expect(existsSync(join(folder, 'slot-1'))).toBe(false);
    releaseAll();
    expect((await claim()).replaces).toBe(next.worker);
  });

  it('that cannot be emptied is set aside, and removed at a later start', async () => {
    const { worker } = await claim();
    releaseAll();
    mkdirSync(join(root, 'worker-1/slot-1'), { recursive: true });
    const place = await claim(() => Promise.reject(new Error('no way')));
    expect(place).toMatchObject({ folder: join(root, 'worker-1'), replaces: worker });
    expect(existsSync(join(place.folder, 'slot-1'))).toBe(false);
    const leftovers = () => readdirSync(root).filter((name) => name.startsWith('leftover-'));
    expect(leftovers()).toHaveLength(1);
    await claim();
    expect(leftovers()).toEqual([]);
  });
});
