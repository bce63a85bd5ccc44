import { readdirSync, readFileSync } from 'node:fs';

/** Ids of a process and of all its descendants. */
export function listTree(root: number): number[] {
  const children = Map.groupBy(listParents(), ({ parent }) => parent);
  const collect = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap((child) => collect(child.pid))];
  return collect(root);
}

/** All processes of this machine with their parents. */
export function listParents(): { pid: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent = ''] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        // The process has ended.
        return [];
      }
    });
}
