import { expect, it } from '@jest/globals';
import { runUnshared } from '../testing/run-unshared.js';

/** Mounts as in Docker: parts of /proc are covered or read-only, control groups are read-only. */
const LIKE_DOCKER = `
for file in kcore keys timer_list; do [ ! -e /proc/$file ] || mount --bind /dev/null /proc/$file; done
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
for group in /sys/fs/cgroup /sys/fs/cgroup/memory /sys/fs/cgroup/pids /sys/fs/cgroup/cpuacct; do
  grep -qE " $group .* - cgroup2? " /proc/self/mountinfo && mount -o remount,bind,ro $group
done
true
`;

const TRY = `
const { mkdtempSync, rmSync } = await import('node:fs');
const { prepareIsolation } = await load('prepare/prepare-isolation');
const { prepareContainer } = await load('prepare/prepare-container');
const { ControlGroup } = await load('cgroup/control-group');
const folder = mkdtempSync('/tmp/millrace-container-');
const isolate = () => prepareIsolation('required', folder).then(({ mode }) => mode, (error) => error.message);
const bounds = () => {
  const group = ControlGroup.create('slot-1', 100);
  group?.remove();
  return group?.kernelLimits ?? null;
};
const before = { isolation: await isolate(), bounds: bounds() };
const problems = prepareContainer(true);
console.log(JSON.stringify({ before, problems, after: { isolation: await isolate(), bounds: bounds() } }));
rmSync(folder, { recursive: true });
`;

/** Limits that a worker outside of a container has here: none for an ordinary user, or for root without control groups. */
const BOUNDS = `
const { ControlGroup } = await load('cgroup/control-group');
const group = ControlGroup.create('slot-1', 100);
group?.remove();
console.log(JSON.stringify(group?.kernelLimits ?? null));
`;

it('prepareContainer makes sandboxes and limits work in a container that allows neither', async () => {
  const bounds = await runUnshared('', BOUNDS);
  expect(await runUnshared(LIKE_DOCKER, TRY)).toEqual({
    before: { isolation: expect.stringContaining("Can't mount proc"), bounds: null },
    problems: [],
    after: { isolation: 'sandbox', bounds },
  });
});
