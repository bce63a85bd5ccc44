import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A range of user ids that nothing allocates: above those of systemd's containers, below its foreign ids
 * (systemd.io/UIDS-GIDS), and above those that useradd allocates for containers (SUB_UID_MAX).
 */
const UNALLOCATED: UserIdRange = { first: 0x7000_0000, count: 0x0800_0000 };
/**
 * The upper half of the 65,536 ids that a pod with `hostUsers: false` has, without `nobody`. Accounts of an image have lower
 * ids, and no other container has the same ones.
 */
const OF_POD: UserIdRange = { first: 0x8000, count: 0x7ffe };

export interface UserIdRange {
  first: number;
  count: number;
}

/**
 * Draws the id of a user that nothing else on this machine runs as. It is random and not counted, because workers in
 * containers share users with the whole machine and do not see each other. With a thousand slots on one machine, two of them
 * have the same id once in 250 times, and then share only their per-user limits of the kernel.
 */
export function drawUserId(): number {
  const { first, count } = chooseUserIds(readFileSync('/proc/self/uid_map', 'utf8'));
  return first + randomInt(count);
}

/**
 * Chooses the range that exists in a user namespace. If neither does, the range that nothing allocates: the kernel then
 * refuses its ids.
 * @param map content of /proc/self/uid_map
 */
export function chooseUserIds(map: string): UserIdRange {
  const mapped = map.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const exists = ({ first, count }: UserIdRange) =>
    mapped.some(([from = 0, , size = 0]) => from <= first && first + count <= from + size);
  return [UNALLOCATED, OF_POD].find(exists) ?? UNALLOCATED;
}
