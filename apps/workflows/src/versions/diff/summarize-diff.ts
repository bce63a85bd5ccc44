import type { z } from 'zod';
import type { versionDiffSummary } from '@millrace/contracts/workflows/versions';
import type { DataDiff } from './diff-data.js';

/** Nodes of each kind, and changed fields of one node, that a summary has. */
const MAX_NODES = 200;
const MAX_FIELDS = 50;

/** Lists the nodes and fields that differ, without their values. */
export function summarizeDiff({ same, nodes, edges }: DataDiff): z.input<typeof versionDiffSummary> {
  const { added, removed, changed } = nodes;
  const shown = {
    added: added.slice(0, MAX_NODES),
    removed: removed.slice(0, MAX_NODES),
    changed: changed
      .slice(0, MAX_NODES)
      .map(({ name, fields }) => ({ name, fields: fields.slice(0, MAX_FIELDS).map(({ path }) => path) })),
  };
  const count = ({ added: a, removed: r, changed: c }: Record<'added' | 'removed' | 'changed', readonly unknown[]>) =>
    a.length + r.length + c.length;
  return { same, nodes: shown, more: count(nodes) - count(shown), edges: count(edges) };
}
