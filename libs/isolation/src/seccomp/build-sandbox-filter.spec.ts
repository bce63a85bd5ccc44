import { describe, expect, it } from '@jest/globals';
import { interpretBpf } from '../testing/interpret-bpf.js';
import { KERNEL_ABIS, buildSandboxFilter } from './build-sandbox-filter.js';

/** Programs whose jump offsets were computed by hand, 16 hexadecimal digits for each instruction: the reference for the assembled ones. */
const REFERENCE: Record<string, string[]> = {
  x64: [
    '20000000040000001500000f3e0000c0200000000000000054000000ffffffbf15000a00a901000015000900a9010000',
    '35000001f800000025000007fa0000001500000729000000200000001000000015000500010000001500040002000000',
    '150003000a000000150002001000000006000000610005000600000026000500060000000000ff7f1500000f03000040',
    '200000000000000054000000ffffffbf15000a00a90100001500090066000000350000011e0100002500000720010000',
    '1500000767010000200000001000000015000500010000001500040002000000150003000a0000001500020010000000',
    '06000000610005000600000026000500060000000000ff7f0600000026000500',
  ],
  arm64: [
    '20000000040000001500000fb70000c0200000000000000054000000ffffffbf15000a00a901000015000900a9010000',
    '35000001d900000025000007db00000015000007c6000000200000001000000015000500010000001500040002000000',
    '150003000a000000150002001000000006000000610005000600000026000500060000000000ff7f1500000f28000040',
    '200000000000000054000000ffffffbf15000a00a901000015000900a901000035000001350100002500000737010000',
    '1500000719010000200000001000000015000500010000001500040002000000150003000a0000001500020010000000',
    '06000000610005000600000026000500060000000000ff7f0600000026000500',
  ],
  riscv64: [
    '20000000040000001500000ff30000c0200000000000000054000000ffffffbf15000a00a901000015000900a9010000',
    '35000001d900000025000007db00000015000007c6000000200000001000000015000500010000001500040002000000',
    '150003000a000000150002001000000006000000610005000600000026000500060000000000ff7f0600000026000500',
  ],
  loong64: [
    '20000000040000001500000f020100c0200000000000000054000000ffffffbf15000a00a901000015000900a9010000',
    '35000001d900000025000007db00000015000007c6000000200000001000000015000500010000001500040002000000',
    '150003000a000000150002001000000006000000610005000600000026000500060000000000ff7f0600000026000500',
  ],
};
const X32_BIT = 0x4000_0000;
const ALLOW = 0x7fff_0000;
const [ENOSYS, EAFNOSUPPORT] = [0x0005_0026, 0x0005_0061];
/** Beyond the last number that any architecture has, with and without the mark of x32. */
const CALLS = Array.from({ length: 1_100 }, (_, call) => [call, call + X32_BIT])
  .flat()
  .concat(0xffff_ffff);
const FAMILIES = [...Array.from({ length: 50 }, (_, family) => family), 0xffff_ffff];
const AUDIT_ARCHES = [
  0,
  0xffff_ffff,
  ...Object.values(KERNEL_ABIS)
    .flat()
    .map(({ auditArch }) => auditArch),
];

const decide = (program: Buffer, auditArch: number, call: number, argument = 0) =>
  interpretBpf(program, { 0: call, 4: auditArch, 16: argument });
const filterOf = (architecture: string) => buildSandboxFilter(architecture) ?? Buffer.alloc(0);

describe.each(Object.keys(REFERENCE))('the seccomp filter of a sandbox on %s', (architecture) => {
  const filter = filterOf(architecture);
  const reference = Buffer.from(REFERENCE[architecture]?.join('') ?? '', 'hex');

  it('decides as the reference program about every system call of every architecture', () => {
    const differences: number[][] = [];
    for (const auditArch of AUDIT_ARCHES) {
      for (const call of CALLS) {
        if (decide(filter, auditArch, call) !== decide(reference, auditArch, call)) differences.push([auditArch, call]);
      }
    }
    expect(differences).toEqual([]);
  });

  it('decides as the reference program about every family of sockets', () => {
    const differences: number[][] = [];
    for (const { auditArch, socket } of KERNEL_ABIS[architecture] ?? []) {
      for (const family of FAMILIES) {
        const [actual, expected] = [filter, reference].map((program) => decide(program, auditArch, socket, family));
        if (actual !== expected) differences.push([auditArch, family]);
      }
    }
    expect(differences).toEqual([]);
  });

  it('denies kernel keys, io_uring, and calls of other ABIs', () => {
    for (const { auditArch, addKey } of KERNEL_ABIS[architecture] ?? []) {
      const denied = [addKey, addKey + 1, addKey + 2, 425];
      expect(denied.map((call) => decide(filter, auditArch, call))).toEqual(denied.map(() => ENOSYS));
      expect([addKey - 1, addKey + 3].map((call) => decide(filter, auditArch, call))).toEqual([ALLOW, ALLOW]);
    }
    expect(decide(filter, 0, 0)).toBe(ENOSYS);
  });

  it('allows local, IP and netlink sockets, and reports other families as not supported', () => {
    for (const { auditArch, socket } of KERNEL_ABIS[architecture] ?? []) {
      const allowed = FAMILIES.filter((family) => decide(filter, auditArch, socket, family) === ALLOW);
      expect(allowed).toEqual([1, 2, 10, 16]);
      expect(decide(filter, auditArch, socket, 40)).toBe(EAFNOSUPPORT);
    }
  });
});

describe('the seccomp filter of a sandbox', () => {
  it('denies socketcall to 32-bit programs on x64, and decides about x32 calls as about the usual ones', () => {
    const filter = filterOf('x64');
    expect(decide(filter, 0x40000003, 102)).toBe(ENOSYS);
    expect(decide(filter, 0xc000003e, 102)).toBe(ALLOW);
    expect(decide(filter, 0xc000003e, 248 + X32_BIT)).toBe(ENOSYS);
  });

  it('does not exist for an architecture that the runner does not support', () => {
    expect(buildSandboxFilter('s390x')).toBeNull();
  });
});
