import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mergeRecorded } from './recorder.mjs';
import { MIX, THINK_MS } from './virtual-user.mjs';

/** So that the event loop of a load process does not limit what it measures. */
const USERS_PER_PROCESS = 250;
/** Requests that are under way at the end may take this long. */
const GRACE_MS = 150_000;

/**
 * @typedef {{ recorded: import('./recorder.mjs').Recorded[], cpuMs: number, memoryMib: number }} UsersResult `recorded` has
 *   sorted latencies; processor time and memory are those of the load processes
 */

/**
 * Runs virtual users in processes of their own.
 * @param {import('./virtual-user.mjs').UserData[]} users
 * @param {{ seconds: number, seed: number, speed?: number, mix?: import('./virtual-user.mjs').Mix }} options `speed` divides all pauses
 * @returns {Promise<UsersResult>}
 */
export async function runUsers(users, { seconds, seed, speed = 1, mix = MIX }) {
  const end = Date.now() + seconds * 1000;
  // Twice as many as a user can be expected to do.
  const maxActions = Math.ceil((2 * seconds * 1000 * speed) / THINK_MS) + 10;
  const groups = Array.from({ length: Math.ceil(users.length / USERS_PER_PROCESS) }, (_, index) =>
    users.slice(index * USERS_PER_PROCESS, (index + 1) * USERS_PER_PROCESS),
  );
  const results = await Promise.all(
    groups.map((group, index) =>
      runGroup(
        { users: group, end, maxActions, seed: seed + index * USERS_PER_PROCESS, behaviour: { speed, mix } },
        seconds * 1000 + GRACE_MS,
      ),
    ),
  );
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  return {
    recorded: mergeRecorded(results.map(({ recorded }) => recorded)),
    cpuMs: sum(results.map(({ cpuMs }) => cpuMs)),
    memoryMib: sum(results.map(({ memoryMib }) => memoryMib)),
  };
}

/**
 * @param {import('./users-process.mjs').UsersOrder} order
 * @param {number} timeoutMs
 * @returns {Promise<UsersResult>}
 */
async function runGroup(order, timeoutMs) {
  const child = fork(fileURLToPath(new URL('users-process.mjs', import.meta.url)));
  const timer = setTimeout(() => child.kill(), timeoutMs);
  try {
    child.send(order);
    const result = await Promise.race([
      once(child, 'message').then(([message]) => message),
      once(child, 'exit').then(() => undefined),
    ]);
    if (!result) throw new Error('A process of virtual users ended without a result.');
    return result;
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}
