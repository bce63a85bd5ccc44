import { readFileSync, writeFileSync } from 'node:fs';

const MIB = 2 ** 20;

/**
 * Measures by how much processes grow at their largest, by the kernel's own high-water mark (proc(5): VmHWM, and 5 in
 * clear_refs sets it back), so that no peak falls between two looks.
 * @returns asks for the growth since now, in MiB, by name
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
  if (kib === undefined) throw new Error(`process ${pid} is gone`);
  return Number(kib) * 1024;
}
