import { describe, expect, it } from '@jest/globals';
import { describeExecFailure, toExit, type Ending } from './read-ending.js';

const USAGE = { cpuMs: 5, maxRssBytes: 7 };
const exitOf = (code: number, ending: Partial<Ending> = {}) =>
  toExit(code, USAGE, { state: 'running', ranOutOfMemory: false, printedTooMuch: false, ...ending });

describe('the exit of a command', () => {
  it.each<[number, Partial<Ending>, object]>([
    [0, {}, { code: 0, signal: null, killReason: null }],
    [3, {}, { code: 3, signal: null, killReason: null }],
    [143, {}, { code: 143, signal: null, killReason: null }],
    [143, { state: 'terminating' }, { code: null, signal: 'SIGTERM', killReason: null }],
    [137, { state: 'killing' }, { code: null, signal: 'SIGKILL', killReason: null }],
    [137, { ranOutOfMemory: true }, { code: 137, signal: null, killReason: 'memory' }],
    [0, { ranOutOfMemory: true }, { code: 0, killReason: null }],
    [153, {}, { code: 153, killReason: 'fileSize' }],
    [137, { state: 'killing', printedTooMuch: true }, { code: null, signal: 'SIGKILL', killReason: 'fileSize' }],
  ])('follows from the status %j of its container and %j', (code, ending, exit) => {
    expect(exitOf(code, ending)).toMatchObject({ ...USAGE, ...exit });
  });
});

it('a program that the container cannot execute is described as in a sandbox', () => {
  const message = '[FATAL tini (7)] exec no-such failed: No such file or directory\n';
  expect(describeExecFailure(127, message)).toBe('cannot run no-such: No such file or directory');
  expect(describeExecFailure(1, message)).toBeNull();
  expect(describeExecFailure(127, 'sh: no-such: not found\n')).toBeNull();
});
