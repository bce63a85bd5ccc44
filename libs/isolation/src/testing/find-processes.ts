import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ids of all processes on this machine whose command line contains `mark`; zombies have none. */
export function findProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && commandLine(name).includes(mark))
    .map(Number);
}

/** Waits up to `ms` until no such process is left. @returns the ids of those that are left */
export const waitUntilEnded = (ms: number, mark: string): Promise<number[]> =>
  noneWithin(ms, () => findProcesses(mark));

/** Waits up to `ms` until these processes have ended. @returns the ids of those that have not */
export const waitUntilExited = (ms: number, ids: number[]): Promise<number[]> =>
  noneWithin(ms, () => ids.filter((id) => existsSync(`/proc/${id}`)));

async function noneWithin(ms: number, find: () => number[]): Promise<number[]> {
  const end = Date.now() + ms;
  while (Date.now() < end && find().length > 0) await sleep(20);
  return find();
}

function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
