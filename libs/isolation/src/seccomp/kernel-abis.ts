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
