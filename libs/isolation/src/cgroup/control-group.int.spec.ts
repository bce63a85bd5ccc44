import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runUnshared } from '../testing/run-unshared.js';
import { ControlGroup, removeDeadControlGroups } from './control-group.js';
import { locateCgroups } from './locate-cgroups.js';

const SLOT = `slot-of-test-${process.pid}`;

/** Makes a group, and ends without removing it. */
const LEAVE_GROUP = `
const { ControlGroup } = await load('cgroup/control-group');
ControlGroup.create('${SLOT}', 100);
console.log('null');
`;

const REMOVE_DEAD_GROUPS = `
const { removeDeadControlGroups } = await load('cgroup/control-group');
removeDeadControlGroups();
console.log('null');
`;

const KEEP_REMOVING_DEAD_GROUPS = `
const { removeDeadControlGroups } = await load('cgroup/control-group');
const end = Date.now() + 1_000;
while (Date.now() < end) removeDeadControlGroups();
console.log('null');
`;

const CREATE_ON_READ_ONLY_MOUNTS = `
const { spawnSync } = await import('node:child_process');
const { ControlGroup } = await load('cgroup/control-group');
ControlGroup.create('${SLOT}', 100);
for (const folder of ['', '/memory', '/pids', '/cpuacct']) {
  spawnSync('mount', ['-o', 'remount,bind,ro', '/sys/fs/cgroup' + folder]);
}
console.log(JSON.stringify(ControlGroup.create('${SLOT}', 100)));
`;

function listGroups(): string[] {
  const folders = locateCgroups(
    readFileSync('/proc/self/mountinfo', 'utf8'),
    readFileSync('/proc/self/cgroup', 'utf8'),
  );
  const parents = [folders?.memory, folders?.pids, folders?.cpu].filter((parent) => parent != null);
  return [...new Set(parents)].flatMap((parent) => readdirSync(parent).filter((name) => name.endsWith(SLOT)));
}

/** An ordinary user cannot make control groups: `create` returns null there, and there is nothing to remove. */
describe('a control group', () => {
  let child: ChildProcess;
  beforeEach(() => {
    child = spawn('sleep', ['60']);
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    ControlGroup.create(SLOT, 100)?.remove();
    removeDeadControlGroups();
  });

  it('is removed if it has no process and its process namespace has ended', async () => {
    await runUnshared('', LEAVE_GROUP);
    removeDeadControlGroups();
    expect(listGroups()).toEqual([]);
  });

  it('is not removed by a worker of another process namespace while a process is in it', async () => {
    const group = ControlGroup.create(SLOT, 100);
    group?.add(child.pid!);
    const groups = listGroups();
    await runUnshared('', REMOVE_DEAD_GROUPS);
    expect([listGroups(), group?.processes() ?? [child.pid]]).toEqual([groups, [child.pid]]);
  });

  it('takes a process after a worker of another process namespace has removed it', async () => {
    const group = ControlGroup.create(SLOT, 100);
    await runUnshared('', REMOVE_DEAD_GROUPS);
    expect(listGroups()).toEqual([]);
    group?.add(child.pid!);
    expect(group?.processes() ?? [child.pid]).toEqual([child.pid]);
  });

  it('takes a process while workers of other process namespaces remove groups', async () => {
    let areRemoving = true;
    const removers = [1, 2].map(() => runUnshared('', KEEP_REMOVING_DEAD_GROUPS));
    const ended = Promise.all(removers).finally(() => (areRemoving = false));
    const isCreated = ControlGroup.create(SLOT, 100) !== null;
    for (let iteration = 0; areRemoving; iteration += 1) {
      // Moving the process empties the group of the iteration before, which is then removed.
      const group = ControlGroup.create(`${iteration % 2}-${SLOT}`, 100);
      group?.add(child.pid!);
      expect([group !== null, group?.processes() ?? [child.pid]]).toEqual([isCreated, [child.pid]]);
      await new Promise(setImmediate);
    }
    await ended;
  });

  it('cannot be created where control groups are read-only, even if a folder of its name exists', async () => {
    expect(await runUnshared('', CREATE_ON_READ_ONLY_MOUNTS)).toBeNull();
  });
});
