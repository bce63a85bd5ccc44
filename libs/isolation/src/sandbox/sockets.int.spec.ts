import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSlot, type TestSlot } from '../testing/open-slot.js';

let one: TestSlot;
beforeEach(async () => {
  one = await openSlot('required');
});
afterEach(() => one.end());

describe.each([false, true])('sockets in a sandbox, network %s', (network) => {
  const make = (family: number, kind: number) => `socket(my $s${family}, ${family}, ${kind}, 0) ? "made" : $! + 0`;
  const makeAll = (families: [number, number][]) =>
    `perl -e '${families.map(([family, kind]) => `print "${family} ", ${make(family, kind)}, "\\n";`).join(' ')}'`;
  const UNSUPPORTED = 97;

  it('can be local, IP and netlink sockets', async () => {
    await one.slot.open({ network, memoryBytes: 2 ** 28 });
    const kinds: [number, number][] = [
      [1, 1],
      [2, 1],
      [10, 2],
      [16, 3],
    ];
    expect((await one.sh(makeAll(kinds))).stdout).toBe('1 made\n2 made\n10 made\n16 made\n');
  });

  it('cannot be of any other family, not even vsock (40), which ignores namespaces', async () => {
    await one.slot.open({ network, memoryBytes: 2 ** 28 });
    const families = Array.from({ length: 46 }, (_, family) => family).filter(
      (family) => ![1, 2, 10, 16].includes(family),
    );
    const { stdout } = await one.sh(makeAll(families.map((family) => [family, 1])));
    expect(stdout).toBe(families.map((family) => `${family} ${UNSUPPORTED}\n`).join(''));
  });

  it('cannot be made through io_uring, which no filter sees', async () => {
    await one.slot.open({ network, memoryBytes: 2 ** 28 });
    const ring = `my $params = "\\0" x 120; print syscall(425, 1, $params), " ", $! + 0`;
    expect((await one.sh(`perl -e '${ring}'`)).stdout).toBe('-1 38');
  });
});
