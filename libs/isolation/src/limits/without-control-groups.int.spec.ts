import { describe, expect, it } from '@jest/globals';
import { runUnshared } from '../testing/run-unshared.js';

const NO_CONTROL_GROUPS = 'mount -t tmpfs none /sys/fs/cgroup';

/** Commands of a slot with 256 MiB. The second is many processes that share 100 MB of memory, the third has five times 100 MB. */
const run = (isolation: string) => `
const { openSlot } = await load('testing/open-slot');
const one = await openSlot('${isolation}');
const ends = [];
const fill = 'my $x = "x" x 100_000_000;';
for (const script of [
  \`perl -e '\${fill} sleep 1'\`,
  \`perl -e '\${fill} fork for 1..3; sleep 2'\`,
  \`for i in 1 2 3 4 5; do perl -e '\${fill} sleep 60' & done; wait\`,
  'echo alive',
]) {
  await one.slot.open({ network: false, memoryBytes: 256 * 1024 * 1024 });
  const { code, killReason, stdout } = await one.sh(script);
  ends.push({ code, killReason, stdout });
}
console.log(JSON.stringify({ bounds: one.slot.kernelLimits.memory, ends }));
await one.end();
`;

describe.each(['required', 'off'])('without control groups, with isolation %s,', (isolation) => {
  it('a command that exceeds its memory limit is ended, and shared memory counts once', async () => {
    const fine = { code: 0, killReason: null, stdout: '' };
    const ended = { code: null, killReason: 'memory', stdout: '' };
    expect(await runUnshared(NO_CONTROL_GROUPS, run(isolation))).toEqual({
      bounds: false,
      ends: [fine, fine, ended, { ...fine, stdout: 'alive\n' }],
    });
  });
});
