import { randomInt } from 'node:crypto';

/**
 * User ids that nothing gives to anybody: above those of systemd's containers, below its foreign ones
 * (systemd.io/UIDS-GIDS), and above what useradd hands out for containers (SUB_UID_MAX).
 */
const FIRST = 0x7000_0000;
const COUNT = 0x0800_0000;

/**
 * A user of this machine that nobody else is. Drawn, not counted: workers in containers share users with the whole machine
 * and see nothing of each other. Among a thousand slots of one machine two are the same once in 250 times, and then share
 * what the kernel counts by user, no more.
 */
export const drawUser = (): number => FIRST + randomInt(COUNT);
