import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareIsolation } from '../prepare/prepare-isolation.js';
import { findProcesses, waitUntilEnded } from '../testing/find-processes.js';
import { openSlot, type TestSlot } from '../testing/open-slot.js';
import { SANDBOX_PATHS } from './build-bwrap-arguments.js';

/** An ordinary user cannot choose another user: its sandboxes run as itself, and all else is the same. */
const ME = process.getuid?.() ?? -1;
const IS_ROOT = ME === 0;
/** Numbers of system calls (asm/unistd.h). */
const CALLS = process.arch === 'x64' ? { inotify: 294 } : { inotify: 26 };

let one: TestSlot;
let other: TestSlot;
beforeEach(async () => {
  [one, other] = [await openSlot('required'), await openSlot('required')];
});
afterEach(async () => {
  await Promise.all([one.end(), other.end()]);
});

const usersOf = (text: string, field: 'Uid' | 'Gid' | 'Groups'): string[] =>
  new RegExp(`^${field}:(.*)$`, 'm').exec(text)?.[1]?.split(/\s+/).filter(Boolean) ?? [];

/** Runs a command, and returns its /proc status as the machine sees it. */
async function readStatusOf({ sh, slot }: TestSlot): Promise<string> {
  const seconds = `${600 + Math.floor(Math.random() * 1e6) / 1e6}`;
  const ended = sh(`exec sleep ${seconds}`);
  let ids: number[] = [];
  while (ids.length === 0) {
    await sleep(10);
    ids = findProcesses(`sleep\0${seconds}`);
  }
  const status = readFileSync(`/proc/${ids[0]}/status`, 'utf8');
  slot.stop(0);
  await ended;
  expect(await waitUntilEnded(3_000, seconds)).toEqual([]);
  return status;
}

describe('the user of a sandbox', () => {
  it('is a user of its own on this machine, in no group, if this process can choose it', async () => {
    const expected = one.slot.uid ?? ME;
    const status = await readStatusOf(one);
    expect(new Set(usersOf(status, 'Uid'))).toEqual(new Set([String(expected)]));
    expect(expected === 0).toBe(false);
    expect((await one.sh('id -u; id -g')).stdout).toBe('65534\n65534\n');
    expect(IS_ROOT ? usersOf(status, 'Groups') : []).toEqual([]);
    expect(IS_ROOT ? new Set(usersOf(status, 'Gid')) : new Set([String(expected)])).toEqual(
      new Set([String(expected)]),
    );
    expect(one.slot.uid !== null).toBe(IS_ROOT);
  });

  it('is another user in another slot', async () => {
    const [first, second] = [await readStatusOf(one), await readStatusOf(other)].map(
      (status) => usersOf(status, 'Uid')[0],
    );
    expect(first === second).toBe(!IS_ROOT);
  });

  it('owns the folders that it may write to, and no others', async () => {
    const { work, step, temporary, system } = SANDBOX_PATHS;
    const own = [work, `${work}/out`, step, temporary];
    const { stdout } = await one.sh(
      `stat -c "%u %n" ${own.join(' ')} ${system}; touch ${work}/out/x ${step}/y ${temporary}/z`,
    );
    expect(stdout.split('\n').slice(0, 4)).toEqual(own.map((path) => `65534 ${path}`));
    expect(stdout).not.toContain(`65534 ${system}`);
    expect(statSync(join(one.slot.folders.output, 'x')).uid).toBe(one.slot.uid ?? ME);
    await one.slot.clear();
    expect((await one.sh(`touch ${work}/x ${work}/out/x && ls ${work}/out`)).stdout).toBe('x\n');
  });

  it('cannot read files of root, in /proc or in /usr', async () => {
    const folder = IS_ROOT ? mkdtempSync('/usr/local/share/millrace-test-') : null;
    try {
      if (folder !== null) {
        execFileSync('chmod', ['755', folder]);
        writeFileSync(join(folder, 'secret'), 'not for steps', { mode: 0o600 });
        writeFileSync(join(folder, 'group'), 'not for steps', { mode: 0o640 });
      }
      const secrets = folder === null ? '' : `${folder}/secret ${folder}/group`;
      const { stdout } = await one.sh(
        `for f in ${secrets} /proc/slabinfo /proc/kpagecount /proc/timer_list /proc/vmallocinfo; do
           head -c 1 < $f > ${SANDBOX_PATHS.temporary}/read 2>/dev/null && [ -s ${SANDBOX_PATHS.temporary}/read ] && echo "read $f"; done; echo done`,
      );
      expect(stdout).toBe('done\n');
    } finally {
      if (folder !== null) rmSync(folder, { recursive: true });
    }
  });

  it('can use up its per-user limits of the kernel without affecting this process or another slot', async () => {
    const take = `my $n = 0; $n++ while $n < 1000 && syscall(${CALLS.inotify}, 0) >= 0; $| = 1; print "$n\\n"`;
    const maxInstances = Number(readFileSync('/proc/sys/fs/inotify/max_user_instances', 'utf8'));
    const ended = one.sh(`perl -e '${take}; sleep 60'`);
    const log = join(one.slot.folders.step, 'stdout');
    for (let text = ''; !text.endsWith('\n'); text = readFileSync(log, 'utf8')) await sleep(20);
    expect(Number(readFileSync(log, 'utf8'))).toBe(Math.min(maxInstances, 1000));
    const oneMore = `exit(syscall(${CALLS.inotify}, 0) < 0)`;
    expect((await other.sh(`perl -e '${oneMore}'`)).code).toBe(IS_ROOT || maxInstances > 1000 ? 0 : 1);
    if (IS_ROOT) execFileSync('perl', ['-e', oneMore]);
    one.slot.stop(0);
    await ended;
  });

  it('is that of the worker if other users cannot read the files of the worker', async () => {
    const mask = process.umask(0o077);
    try {
      const folder = mkdtempSync(join(one.folder, 'masked-'));
      expect(await prepareIsolation('required', folder)).toMatchObject({ mode: 'sandbox', hasUserPerSlot: false });
    } finally {
      process.umask(mask);
    }
  });
});
