import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { isRunning, processIdentity } from './process-identity.mjs';

describe('processIdentity', () => {
  it('stays the same for a process, and is undefined after its end', async () => {
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    const identity = processIdentity(process.pid);
    expect(identity).toBeDefined();
    expect(processIdentity(process.pid)).toBe(identity);
    expect(processIdentity(Number(other.pid))).toBeDefined();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(processIdentity(Number(other.pid))).toBeUndefined();
  });

  it.each([0, 1, -1, NaN, 1.5])(
    'is undefined for %d, which is not the pid of a process that may be signalled',
    (pid) => {
      expect(processIdentity(pid)).toBeUndefined();
    },
  );
});

describe('isRunning', () => {
  it('is false for another process with the same pid', () => {
    const identity = processIdentity(process.pid);
    expect(isRunning({ pid: process.pid, identity })).toBe(true);
    expect(isRunning({ pid: process.pid, identity: `${identity}0` })).toBe(false);
    expect(isRunning({ pid: process.pid })).toBe(false);
    expect(isRunning(undefined)).toBe(false);
  });
});
