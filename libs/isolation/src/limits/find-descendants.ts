import { readFileSync, readdirSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Processes that are read before the event loop runs; about 2 ms. */
const PROCESSES_PER_SLICE = 100;

/** Ids of a process and all its descendants. It reads every process of the machine, because not every kernel lists children. */
export async function findDescendants(ancestor: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const [index, name] of all.entries()) {
    const parent = readParent(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    if (index % PROCESSES_PER_SLICE === PROCESSES_PER_SLICE - 1) await yieldToEventLoop();
  }
  const found = [ancestor];
  for (const id of found) found.push(...(children.get(id) ?? []));
  return found;
}

function readParent(id: string): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name before it may contain anything (proc(5)).
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
