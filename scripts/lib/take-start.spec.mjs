import { expect, it } from '@jest/globals';
import { passStart, takeStart } from './take-start.mjs';

it('a command begins with its process', () => {
  expect(takeStart({})).toBe(performance.timeOrigin);
  expect(takeStart({ MILLRACE_COMMAND_STARTED: 'nonsense' })).toBe(performance.timeOrigin);
});

it('a command that goes on in another process began in the first one', () => {
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  passStart(env, 1_700_000_000_000);
  expect(takeStart(env)).toBe(1_700_000_000_000);
  // Not again, for what the command starts.
  expect(env).toEqual({});
});
