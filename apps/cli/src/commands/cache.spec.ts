import { expect, it } from '@jest/globals';
import type { CacheExplanation } from '@millrace/client';
import { formatExplanation } from './cache.js';

const miss: CacheExplanation = {
  ...{ run: '42', subjob: '7', node: 'scan-1', result: 'miss', reusable: true, runs_examined: 3 },
  message: 'No cached result had this key.',
  parts: [
    { name: 'program', digest: '0123456789abcdef' },
    { name: 'inputs', digest: 'fedcba9876543210' },
  ],
  nearest: {
    ...{ run: '41', run_name: 'r', subjob: '5', equal: 5, inputs: ['hosts/http-input-1'] },
    different: [{ name: 'inputs', digest: '00000000ffffffff' }],
  },
};

it('an explanation shows the parts of the key beside those of the nearest run', () => {
  expect(formatExplanation(miss)).toBe(
    [
      'miss: No cached result had this key.',
      'PART     DIGEST            RUN 41',
      'program  0123456789abcdef  equal',
      'inputs   fedcba9876543210  differs: 00000000ffffffff',
      'Inputs that differ: hosts/http-input-1',
      '',
    ].join('\n'),
  );
});

it('an explanation without a nearest run shows the parts alone, and one without parts the sentence alone', () => {
  const { nearest: _, ...alone } = miss;
  expect(formatExplanation({ ...alone, result: 'hit' })).toMatch(/^hit: .*\nPART +DIGEST\nprogram +0123456789abcdef\n/);
  const group = { ...alone, result: 'not_used' as const, reason: 'task_group' as const, parts: [] };
  const children = { hit: 970, miss: 30, not_used: 0 };
  expect(formatExplanation({ ...group, children })).toBe(
    'not used: No cached result had this key.\n970 hits, 30 misses, 0 without the cache\n',
  );
});
