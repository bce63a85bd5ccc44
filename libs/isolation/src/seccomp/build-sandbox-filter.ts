import { type BpfLine, assembleBpf } from './bpf-assembler.js';

/** One ABI of the kernel, as the kernel names it to filters, and the numbers of its system calls that a sandbox restricts. */
export interface KernelAbi {
  /** `AUDIT_ARCH_…` of linux/audit.h. */
  auditArch: number;
  /** `request_key` and `keyctl` have the next two numbers. */
  addKey: number;
  socket: number;
  /** The older way to all socket calls; undefined if the ABI has none. */
  socketcall?: number;
}

/** The same number in every ABI. */
export const IO_URING_SETUP = 425;

/** ABIs by the name that Node gives the architecture: its own one first, then the 32-bit one that its kernels may also run. */
export const KERNEL_ABIS: Readonly<Record<string, readonly KernelAbi[]>> = {
  x64: [
    { auditArch: 0xc000003e, addKey: 248, socket: 41 },
    { auditArch: 0x40000003, addKey: 286, socket: 359, socketcall: 102 },
  ],
  arm64: [
    { auditArch: 0xc00000b7, addKey: 217, socket: 198 },
    { auditArch: 0x40000028, addKey: 309, socket: 281 },
  ],
  riscv64: [{ auditArch: 0xc00000f3, addKey: 217, socket: 198 }],
  loong64: [{ auditArch: 0xc0000102, addKey: 217, socket: 198 }],
};

/** Offsets in bytes of `struct seccomp_data` (linux/seccomp.h), the input of a filter. */
const INPUT = { call: 0, auditArch: 4, firstArgument: 16 };
/** x32 calls of x86-64 have this bit set; without it they have the numbers of the usual calls. */
const WITHOUT_X32_BIT = 0xbfff_ffff;

/** UNIX, INET, INET6 and NETLINK. */
const ALLOWED_SOCKET_FAMILIES = [1, 2, 10, 16];

/** Results of a filter (linux/seccomp.h): run the call, or fail with the error number in the lower 16 bits. */
const ALLOW = 0x7fff_0000;
const FAIL_WITH = 0x0005_0000;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/**
 * The seccomp program that every sandbox runs under (seccomp(2)). It denies what no namespace isolates:
 * - Keys belong to the kernel's users. If the worker is an ordinary user, its sandboxes would share their keys.
 * - Sockets of most families ignore network namespaces; AF_VSOCK leads to the host of a virtual machine.
 * - io_uring and the old `socketcall` create sockets without showing their family to a filter.
 *
 * A denied call fails as if the kernel did not have it. So does every call of an ABI that is not listed.
 * @param architecture as Node names it
 * @returns the bytes of the program; null for an architecture that the runner does not support either
 */
export function buildSandboxFilter(architecture: string): Buffer | null {
  const abis = KERNEL_ABIS[architecture];
  if (!abis) return null;
  return assembleBpf([
    { kind: 'load', offset: INPUT.auditArch },
    ...abis.flatMap((abi, index) => buildAbiRules(abi, `abi ${index}`)),
    { kind: 'return', value: FAIL_WITH | ENOSYS },
  ]);
}

/** Decides about all calls of one ABI. For calls of another ABI the lines after these see its name in the accumulator. */
function buildAbiRules({ auditArch, addKey, socket, socketcall }: KernelAbi, abi: string): BpfLine[] {
  const otherAbi = `${abi}: other ABI`;
  const checkSocket = `${abi}: check socket`;
  const denyCall = `${abi}: deny call`;
  const allow = `${abi}: allow`;
  const hiddenSocketCalls = [IO_URING_SETUP, ...(socketcall === undefined ? [] : [socketcall])];
  return [
    { kind: 'jump', condition: 'equal', value: auditArch, ifFalse: otherAbi },
    { kind: 'load', offset: INPUT.call },
    { kind: 'and', mask: WITHOUT_X32_BIT },
    ...hiddenSocketCalls.map((call) => jumpIfEqual(call, denyCall)),
    { kind: 'jump', condition: 'greaterOrEqual', value: addKey, ifFalse: checkSocket },
    { kind: 'jump', condition: 'greater', value: addKey + 2, ifFalse: denyCall },
    { kind: 'label', name: checkSocket },
    { kind: 'jump', condition: 'equal', value: socket, ifFalse: allow },
    { kind: 'load', offset: INPUT.firstArgument },
    ...ALLOWED_SOCKET_FAMILIES.map((family) => jumpIfEqual(family, allow)),
    { kind: 'return', value: FAIL_WITH | EAFNOSUPPORT },
    { kind: 'label', name: denyCall },
    { kind: 'return', value: FAIL_WITH | ENOSYS },
    { kind: 'label', name: allow },
    { kind: 'return', value: ALLOW },
    { kind: 'label', name: otherAbi },
  ];
}

const jumpIfEqual = (value: number, ifTrue: string): BpfLine => ({ kind: 'jump', condition: 'equal', value, ifTrue });
