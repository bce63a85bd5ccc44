import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { regenerateToken } from '@millrace/contracts/auth/users';
import { privateRedis, type PrivateRedis } from '@millrace/testkit/private-redis';
import { PASSWORD, signIn, signUp, randomAddress } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let redis: PrivateRedis;
let system: System;
beforeAll(async () => {
  redis = await privateRedis();
  system = await startApps([start, start], { REDIS_URL: redis.url });
});
afterAll(async () => {
  await redis.start();
  // BullMQ pauses after a lost connection, and closing it does not end the pause.
  await sleep(2_500);
  await system.close();
  await redis.stop();
});

it('sign-in and its limits work without Redis', async () => {
  const [guessed, other] = [await signUp(system), await signUp(system)];
  await redis.signal('SIGKILL');
  const guesses = [];
  for (let times = 0; times < 7; times += 1) {
    const guess = signIn(system, guessed.email, 'not the password', randomAddress());
    guesses.push(
      await guess.then(
        () => 'let in',
        ({ code }: { code: string }) => code,
      ),
    );
  }
  expect(guesses).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limited', 'rate_limited']);
  await expect(signIn(system, guessed.email, PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
  expect((await signIn(system, other.email, PASSWORD)).user.id).toBe(other.user.id);
  expect((await system.callAs(other.caller, regenerateToken)).token).toHaveLength(40);
});
