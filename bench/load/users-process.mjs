import { seededRandom } from '../lib/random.mjs';
import { Recorder } from './recorder.mjs';
import { VirtualUser } from './virtual-user.mjs';

/**
 * @typedef {object} UsersOrder
 * @property {import('./virtual-user.mjs').UserData[]} users
 * @property {number} end when the users begin nothing more, in milliseconds since the epoch
 * @property {number} maxActions of each user
 * @property {number} seed
 * @property {{ speed: number, mix: import('./virtual-user.mjs').Mix }} behaviour
 */

/**
 * A process that runs virtual users. It gets its order as a message, because tokens do not belong in a command line, and
 * sends back what it has recorded.
 * @param {UsersOrder} order
 */
async function runUsers({ users, end, maxActions, seed, behaviour }) {
  const recorder = new Recorder();
  const before = process.cpuUsage();
  await Promise.all(
    users.map((data, index) =>
      new VirtualUser(data, recorder, seededRandom(seed + index), behaviour).work({ end, maxActions }),
    ),
  );
  const { user, system } = process.cpuUsage(before);
  return { recorded: recorder.list(), cpuMs: (user + system) / 1000, memoryMib: process.memoryUsage.rss() / 2 ** 20 };
}

process.once('message', (/** @type {UsersOrder} */ order) => {
  void runUsers(order).then((result) => process.send?.(result, () => process.disconnect()));
});
