import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { InodePool } from '../folders/inode-pool.js';
import { prepareIsolation } from '../prepare/prepare-isolation.js';
import { SANDBOX_PATHS } from '../sandbox/build-bwrap-arguments.js';
import { Slot } from './slot.js';

const REQUIREMENTS = { network: false, memoryBytes: 2 ** 28 };

let folder: string;
let workspace: string;
let slot: Slot;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-workspace-'));
  workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const isolation = await prepareIsolation('required', folder);
  slot = new Slot('slot-1', folder, { isolation, inodes: new InodePool(join(folder, 'spare')), workspace });
  slot.reserve('owner');
  await slot.open(REQUIREMENTS);
});
afterEach(async () => {
  await slot.shutdown();
  rmSync(folder, { recursive: true, force: true });
});

const sh = (script: string) => slot.run({ argv: ['/bin/sh', '-c', script], env: { PATH: '/usr/bin:/bin' } });

it('a workspace is the working directory of commands, and is not emptied with the other folders', async () => {
  expect(await sh(`pwd > where; echo x > ${SANDBOX_PATHS.work}/file`)).toMatchObject({ code: 0 });
  await slot.clear();
  expect(readFileSync(join(workspace, 'where'), 'utf8')).toBe(`${SANDBOX_PATHS.workspace}\n`);
  expect(await sh(`test -e where && ! test -e ${SANDBOX_PATHS.work}/file`)).toMatchObject({ code: 0 });
});

it('a workspace is in the sandbox that replaces a tainted one', async () => {
  const identify = "readlink /proc/self/ns/pid; cut -d' ' -f22 /proc/1/stat";
  expect(await sh(`${identify} > first; echo stored > file; exit 1`)).toMatchObject({ code: 1 });
  await slot.close();
  slot.reserve('owner');
  await slot.open(REQUIREMENTS);
  expect(await sh(`${identify} | diff -q - first`)).toMatchObject({ code: 1 });
  expect(await sh('grep stored file')).toMatchObject({ code: 0 });
});

it('a workspace cannot be moved, removed or mounted over by commands', async () => {
  const { work, workspace: here } = SANDBOX_PATHS;
  const attempts = `rmdir ${here} || mv ${here} ${work}/w || ln -sfn /etc ${here}/../workspace2 || umount ${here}`;
  expect((await sh(attempts)).code).not.toBe(0);
  expect(await sh(`test "$(pwd -P)" = ${here}`)).toMatchObject({ code: 0 });
});
