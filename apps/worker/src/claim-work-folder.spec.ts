import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimWorkFolder } from './claim-work-folder.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-claim-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const own = (folder: string, owner: object) => writeFileSync(join(folder, 'owner.json'), JSON.stringify(owner));

describe('a work folder', () => {
  it('is not shared by living workers, even where they start at once', async () => {
    const places = await Promise.all([1, 2, 3].map(() => claimWorkFolder(root)));
    expect(new Set(places.map((place) => place.folder)).size).toBe(3);
    expect(new Set(places.map((place) => place.worker)).size).toBe(3);
    expect(places.map((place) => place.replaces)).toEqual([null, null, null]);
  });

  it('of a dead worker is emptied and taken over, and its name told', async () => {
    const { folder, worker } = await claimWorkFolder(root);
    const child = spawn('sleep', ['0']);
    await once(child, 'close');
    own(folder, { worker, pid: child.pid, started: 'x' });
    mkdirSync(join(folder, 'slot-1/work'), { recursive: true });
    const next = await claimWorkFolder(root);
    expect(next).toMatchObject({ folder, replaces: worker });
    expect(next.worker).not.toBe(worker);
    expect(existsSync(join(folder, 'slot-1'))).toBe(false);
  });

  it('that cannot be emptied is set aside, and removed at a later start', async () => {
    mkdirSync(join(root, 'worker-1/slot-1'), { recursive: true });
    own(join(root, 'worker-1'), { worker: 'w-old', pid: 0, started: 'x' });
    const place = await claimWorkFolder(root, () => Promise.reject(new Error('no way')));
    expect(place).toMatchObject({ folder: join(root, 'worker-1'), replaces: 'w-old' });
    expect(existsSync(join(place.folder, 'slot-1'))).toBe(false);
    const leftovers = () => readdirSync(root).filter((name) => name.startsWith('leftover-'));
    expect(leftovers()).toHaveLength(1);
    await claimWorkFolder(root);
    expect(leftovers()).toEqual([]);
  });

  it('is known as dead where another process got the number', async () => {
    const { folder, worker } = await claimWorkFolder(root);
    const mine = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as { started: string };
    own(folder, { worker, pid: process.pid, started: `${mine.started}1` });
    expect((await claimWorkFolder(root)).replaces).toBe(worker);
  });

  it('is taken although a worker died while it held the lock', async () => {
    mkdirSync(join(root, 'lock'));
    utimesSync(join(root, 'lock'), 0, 0);
    expect((await claimWorkFolder(root)).replaces).toBeNull();
    expect(existsSync(join(root, 'lock'))).toBe(false);
  });
});
