import { expect, it } from '@jest/globals';
import { formatFailures } from './failures.js';

const group = {
  ...{ id: '2-9f1c0d7e52b8a613', node: 'scan-1', label: 'scan', subjob: '7', kind: 'exit_code' as const },
  ...{ reason: 'exit code 4: no such host <item>', count: 3, children: 100, share: 0.03 },
  examples: [{ subjob: '9', task_index: 5, item: 'db7.example.org', attempt: 1 }],
};

it('formatFailures prints one line per reason, an example, and how to run the largest group again', () => {
  const other = { ...group, id: '3-1', node: 'all-1', reason: 'x'.repeat(80), count: 1, children: 1, examples: [] };
  expect(formatFailures('42', { groups: [group, other], count: 3, failed: 5 })).toBe(
    `5 failed, 3 reasons
GROUP               FAILED  NODE    REASON                                                        EXAMPLE
2-9f1c0d7e52b8a613  3/100   scan-1  exit code 4: no such host <item>                              db7.example.org
3-1                 1/1     all-1   ${'x'.repeat(59)}…
1 more groups; list them with --number
Run a group again: millrace retry 42 --group 2-9f1c0d7e52b8a613
`,
  );
});

it('formatFailures says that nothing failed', () => {
  expect(formatFailures('42', { groups: [], count: 0, failed: 0 })).toBe('Nothing failed in run 42.\n');
});
