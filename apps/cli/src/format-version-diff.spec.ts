import { describe, expect, it } from '@jest/globals';
import type { VersionDiff } from '@millrace/client';
import { formatVersionDiff } from './format-version-diff.js';

const none = { added: [], removed: [], changed: [] };
const SAME: VersionDiff = {
  ...{ from: 'a', to: 'b', same: true, nodes: none, inputs: none, outputs: none, annotations: none },
  ...{ edges: none, other: [] },
};

describe('the difference of two versions', () => {
  it('is a sentence if there is none', () => {
    expect(formatVersionDiff(SAME)).toBe('The versions are the same.\n');
  });

  it('has a line for each node, connection and field', () => {
    const fields = [
      { path: 'retries', before: 1, after: 2 },
      { path: 'script.source', after: 'x'.repeat(100) },
      { path: 'image', before: 'old' },
    ];
    const diff = {
      ...SAME,
      nodes: { added: ['b-1'], removed: ['c-1'], changed: [{ name: 'a-1', fields }] },
      edges: { ...none, added: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/file' } }] },
    } as unknown as VersionDiff;
    expect(formatVersionDiff(diff).split('\n')).toEqual([
      ...['+ node b-1', '- node c-1', '~ node a-1', '    retries: 1 → 2'],
      ...[`    script.source: added "${'x'.repeat(59)}…`, '    image: removed "old"'],
      ...['+ connection output/a-1/file → input/b-1/file', ''],
    ]);
  });
});
