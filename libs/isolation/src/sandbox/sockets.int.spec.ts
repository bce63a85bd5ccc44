import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSlot, type TestSlot } from '../testing/open-slot.js';

let one: TestSlot;
beforeEach(async () => {
  one = await openSlot('required');
});
afterEach(() => one.end());

describe.each([false, true])('sockets in a sandbox, network %s', (network) => {
  const make = (family: number, kind: number) => `socket(my $s${family}, ${family}, ${kind}, 0) ? "made" : $! + 0`;
  const say = (families: [number, number][]) =>
    `perl -e '${families.map(([family, kind]) => `print "${family} ", ${make(family, kind)}, "\\n";`).join(' ')}'`;
  const UNSUPPORTED = 97;

  it('are local ones, those of IP and those that ask the kernel', async () => {
    await one.slot.open({ network, memoryBytes: 2 ** 28 });
    const kinds: [number, number][] = [
      [1, 1],
      [2, 1],
      [10, 2],
      [16, 3],
    ];
    expect((await one.sh(say(kinds))).stdout).toBe('1 made\n2 made\n10 made\n16 made\n');
  });

  it('are of no other family: each stands by itself, vsock (40) beside all namespaces', async () => {
    await one.slot.open({ network, memoryBytes: 2 ** 28 });
    const families = Array.from({ length: 46 }, (_, family) => family).filter(
      (family) => ![1, 2, 10, 16].includes(family),
    );
    const { stdout } = await one.sh(say(families.map((family) => [family, 1])));
    expect(stdout).toBe(families.map((family) => `${family} ${UNSUPPORTED}\n`).join(''));
  });

  it('are not made through io_uring, where no filter sees them', async () => {
    await one.slot.open({ network, memoryBytes: 2 ** 28 });
    const ring = `my $params = "\\0" x 120; print syscall(425, 1, $params), " ", $! + 0`;
    expect((await one.sh(`perl -e '${ring}'`)).stdout).toBe('-1 38');
  });
});
