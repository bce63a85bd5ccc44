import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { followLogLevel } from './follow-log-level.js';
import { createLogger } from './logger.js';

type Change = { service: string; level: string; until: string };

function follow(level: string) {
  let publish: (change: Change) => void = () => undefined;
  const subscribe = (_: unknown, listener: (payload: never) => void) => {
    publish = listener as (change: Change) => void;
    return () => {
      publish = () => undefined;
    };
  };
  const lines: string[] = [];
  const logger = createLogger('runs', level, { write: (line) => void lines.push(line) });
  const unfollow = followLogLevel({ subscribe } as Parameters<typeof followLogLevel>[0], 'runs', logger);
  const change = (change: Partial<Change>, ms: number) =>
    publish({ service: 'runs', level: 'debug', until: new Date(Date.now() + ms).toISOString(), ...change });
  return { logger, lines, change, unfollow };
}

it('a changed log level ends by itself, and both changes are logged', async () => {
  const { logger, lines, change } = follow('warn');
  change({}, 50);
  expect(logger.level).toBe('debug');
  await eventually(() => expect(logger.level).toBe('warn'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { message: 'Log level changed', logLevel: 'debug', until: expect.any(String) },
    { message: 'Log level changed', logLevel: 'warn' },
  ]);
});

it('a later change replaces an earlier one, and the configured level follows it', async () => {
  const { logger, change } = follow('info');
  change({ level: 'trace' }, 60_000);
  change({ level: 'error' }, 30);
  expect(logger.level).toBe('error');
  await eventually(() => expect(logger.level).toBe('info'));
});

it('the log level of another service and of a process that is closing stays', async () => {
  const { logger, change, unfollow } = follow('info');
  change({ service: 'billing' }, 60_000);
  expect(logger.level).toBe('info');
  change({}, 20);
  unfollow();
  await sleep(40);
  change({ level: 'trace' }, 20);
  expect(logger.level).toBe('debug');
});
