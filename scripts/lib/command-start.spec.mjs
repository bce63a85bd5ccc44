import { expect, it } from '@jest/globals';
import { passCommandStart, takeCommandStart } from './command-start.mjs';

it('a command starts with its process', () => {
  expect(takeCommandStart({})).toBe(performance.timeOrigin);
  expect(takeCommandStart({ MILLRACE_COMMAND_STARTED: 'nonsense' })).toBe(performance.timeOrigin);
});

it('a command that continues in another process started in the first one', () => {
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  passCommandStart(env, 1_700_000_000_000);
  expect(takeCommandStart(env)).toBe(1_700_000_000_000);
  // The processes that the command starts do not get the variable.
  expect(env).toEqual({});
});
