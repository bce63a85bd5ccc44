import { expect, it } from '@jest/globals';
import type { NodeComparison, RunComparison } from '@millrace/client';
import { formatComparison } from './compare.js';

const side = (id: string, failed: number) => ({
  ...{ id, name: 'r', status: 'COMPLETED' as const, has_failures: failed > 0, workflow_info: 'w', workflow_name: 'w' },
  ...{ workflow_version_info: 'v', created_date: '2026-01-01T00:00:00Z', duration_ms: 65_000, execution_units: 12 },
  run_insights: { total: 3, pending: 0, running: 0, succeeded: 3, failed, stopping: 0, stopped: 0, skipped: 0 },
});
const comparison: RunComparison = {
  ...{ a: side('41', 3), b: side('42', 0), difference: { execution_units: 0 }, same_plan: false },
  version: {
    same: false,
    nodes: { added: ['x-1'], removed: [], changed: [{ name: 'scan-1', fields: ['retries'] }] },
    more: 0,
    edges: 1,
  },
  inputs: { added: [], removed: [], changed: [], same: 1 },
  nodes: { both: 2, only_in_a: 0, only_in_b: 0 },
  outputs: { same: 5, changed: 1, only_in_a: 0, only_in_b: 1 },
};
const counts = { same: 1, changed: 0, only_in_a: 0, only_in_b: 0 };
const node: NodeComparison = {
  ...{
    node: 'scan-1',
    label: 'scan',
    a: { status: 'FAILED', execution_units: 1, children: 3, child_statuses: { FAILED: 3 } },
  },
  ...{ b: { status: 'SUCCEEDED', execution_units: 1, children: 3 }, outputs: { ...counts, only_in_b: 1 } },
};
const same: NodeComparison = {
  ...node,
  node: 'all-1',
  a: { execution_units: 0 },
  b: { execution_units: 0 },
  outputs: counts,
};

it('formatComparison shows the versions, the nodes that differ, and the first outputs that differ', () => {
  const output = {
    node: 'scan-1',
    path: 'output.txt',
    change: 'only_in_b' as const,
    b: { id: 'o', subjob: '9', task_index: 7, size: 1, sha256: 'a' },
  };
  const text = formatComparison({ comparison, nodes: [node, same], outputs: [output], tables: [] });
  expect(text).toContain('The versions differ:\n  + x-1\n  ~ scan-1: retries\nThe inputs are the same.\n');
  expect(text).toContain('1 of 2 nodes have the same status, children and outputs\n');
  expect(text).toMatch(/^scan-1 {2}FAILED 3 \(3 failed\) {2}SUCCEEDED 3 /m);
  expect(text.endsWith('  only_in_b  scan-1 #7  output.txt\n  1 more\n')).toBe(true);
});
