import { describe, expect, it } from '@jest/globals';
import { describeCauses } from './skip-reasons.js';

const failed = (node: string) => ({ node, status: 'FAILED' as const, message: 'exit code 1' });
const skipped = (node: string, message: string | null) => ({ node, status: 'SKIPPED' as const, message });

describe('the reason of a skipped subjob', () => {
  it('names each node that failed, was stopped, or was skipped by a user', () => {
    const stopped = { node: 'b-1', status: 'STOPPED' as const, message: null };
    expect(describeCauses([failed('a-1'), stopped, skipped('c-1', 'skipped by a user: too late')])).toBe(
      'skipped: a-1 failed; b-1 was stopped; c-1 was skipped by a user: too late',
    );
  });

  it('names the causes of a node that was skipped itself, each once', () => {
    const both = 'skipped: a-1 failed; b-1 failed';
    expect(describeCauses([skipped('c-1', 'skipped: a-1 failed'), skipped('d-1', both)])).toBe(both);
  });

  it('names the node whose condition is false', () => {
    expect(describeCauses([skipped('a-1', 'skipped: its condition is false: inputs.x = 1')])).toBe(
      'skipped: the condition of a-1 is false: inputs.x = 1',
    );
  });

  it('names the node if no more is known, and nothing without a cause', () => {
    expect(describeCauses([skipped('a-1', null)])).toBe('skipped: a-1 was skipped');
    expect(describeCauses([])).toBeNull();
  });

  it('names the first causes and counts the others, those that were counted before included', () => {
    const five = describeCauses(['a', 'b', 'c', 'd', 'e'].map(failed));
    expect(five).toBe('skipped: a failed; b failed; c failed; and 2 more');
    expect(describeCauses([skipped('f', five), failed('g')])).toBe('skipped: a failed; b failed; c failed; and 3 more');
  });
});
