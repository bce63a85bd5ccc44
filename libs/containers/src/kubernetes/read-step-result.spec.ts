import { describe, expect, it } from '@jest/globals';
import { readStepResult } from './read-step-result.js';

describe('readStepResult', () => {
  it.each([
    ['0|0.10 0.02 20480 4096 ', { code: 0, signal: null, cpuMs: 120, maxRssBytes: 5 * 2 ** 20, killReason: null }],
    [
      '3|Command exited with non-zero status 3 1.00 0.00 65536 65536 ',
      { code: 3, signal: null, cpuMs: 1000, maxRssBytes: 2 ** 20 },
    ],
    ['11|Command terminated by signal 11 0.00 0.00 4096 4096 ', { code: null, signal: 'SIGSEGV', killReason: null }],
    ['25|Command terminated by signal 25 0.00 0.00 4096 4096 ', { signal: 'SIGXFSZ', killReason: 'fileSize' }],
    ['153|Command exited with non-zero status 153 0.00 0.00 4096 4096 ', { code: 153, killReason: 'fileSize' }],
    ['137|', { code: null, signal: 'SIGKILL', cpuMs: 0, maxRssBytes: 0 }],
    [
      '137|0m0.010s 0m0.000s 1m1.250s 0m0.340s ',
      { code: null, signal: 'SIGKILL', cpuMs: 61_590, maxRssBytes: 0, killReason: null },
    ],
    ['127|', { code: 127, signal: null }],
  ])('reads %j', (line, result) => expect(readStepResult(line)).toMatchObject(result));

  it.each(['', '|', 'x|', '-1|', '1e9|0.1', '$(id)|'])('returns nothing for %j', (line) =>
    expect(readStepResult(line)).toBeNull(),
  );
});
