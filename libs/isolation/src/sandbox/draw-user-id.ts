import { randomInt } from 'node:crypto';

/**
 * User ids that nothing gives to anybody: above those of systemd's containers, below its foreign ones
 * (systemd.io/UIDS-GIDS), and above what useradd hands out for containers (SUB_UID_MAX).
 */
const FIRST_USER_ID = 0x7000_0000;
const USER_ID_COUNT = 0x0800_0000;

/**
 * A user of this machine that nobody else is. Drawn, not counted: workers in containers share users with the whole machine
 * and see nothing of each other. Among a thousand slots of one machine two are the same once in 250 times, and then share
 * what the kernel counts by user, no more.
 */
export const drawUserId = (): number => FIRST_USER_ID + randomInt(USER_ID_COUNT);
