import { readFileSync, writeFileSync } from 'node:fs';

const MIB = 2 ** 20;

/**
 * Measures the peak growth of processes with the kernel's high-water mark, so that no peak is missed between two
 * measurements (proc(5): VmHWM; writing 5 to clear_refs resets it).
 * @returns a function that returns the growth since now, in MiB, by name
 */
export function watchMemory(pids: Record<string, number>): () => Record<string, number> {
  const before = Object.entries(pids).map(([name, pid]) => {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return { name, pid, bytes: peakOf(pid) };
  });
  return () => Object.fromEntries(before.map(({ name, pid, bytes }) => [name, (peakOf(pid) - bytes) / MIB]));
}

function peakOf(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kib === undefined) throw new Error(`Process ${pid} has ended`);
  return Number(kib) * 1024;
}
