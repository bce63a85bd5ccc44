import { randomInt } from 'node:crypto';

/**
 * A range of user ids that nothing allocates: above those of systemd's containers, below its foreign ids
 * (systemd.io/UIDS-GIDS), and above those that useradd allocates for containers (SUB_UID_MAX).
 */
const FIRST_USER_ID = 0x7000_0000;
const USER_ID_COUNT = 0x0800_0000;

/**
 * Draws the id of a user that nothing else on this machine runs as. It is random and not counted, because workers in
 * containers share users with the whole machine and do not see each other. With a thousand slots on one machine, two of them
 * have the same id once in 250 times, and then share only their per-user limits of the kernel.
 */
export const drawUserId = (): number => FIRST_USER_ID + randomInt(USER_ID_COUNT);
