import { expect, it } from '@jest/globals';
import { retryTimeouts } from './retry-timeouts.js';

/** Fails with each of the messages, and then succeeds. */
function failing(...messages: string[]) {
  let attempts = 0;
  const connect = async () => {
    const message = messages[attempts++];
    if (message !== undefined) throw new Error(message);
  };
  return { connect, attempts: () => attempts };
}

it.each(['timeout expired', 'Connection terminated due to connection timeout', 'Query read timeout'])(
  'a first connection is tried again after "%s"',
  async (message) => {
    const { connect, attempts } = failing(message, message);
    await retryTimeouts(connect);
    expect(attempts()).toBe(3);
  },
);

it('the sixth timeout is thrown', async () => {
  const { connect, attempts } = failing(...Array.from({ length: 6 }, () => 'timeout expired'));
  await expect(retryTimeouts(connect)).rejects.toThrow('timeout expired');
  expect(attempts()).toBe(6);
});

it('another error is thrown at once', async () => {
  const { connect, attempts } = failing('password authentication failed for user "millrace_runs"');
  await expect(retryTimeouts(connect)).rejects.toThrow('password authentication failed');
  expect(attempts()).toBe(1);
});
