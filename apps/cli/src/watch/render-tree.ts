import { formatDuration, type SubjobStatus } from '@millrace/sdk/records';
import { explainNode } from './describe-node.js';
import type { NodeView, RunView } from './run-view.js';

const SIGNS: Record<SubjobStatus, string> = {
  PENDING: '·',
  RUNNING: '▸',
  SUCCEEDED: '✔',
  FAILED: '✘',
  STOPPING: '▪',
  STOPPED: '■',
  SKIPPED: '–',
};

/** Lines that fit a terminal: what has succeeded gives way first where there are more nodes than lines. */
export interface Room {
  lines: number;
  columns: number;
}

/** The run as a tree; nodes of a module stand below it. `now` in milliseconds since the epoch. */
export function renderTree(title: string, view: RunView, now: number, room: Room): string {
  const rows = treeRows(view.list());
  const shown = fit(rows, room.lines - 2);
  const width = Math.max(0, ...shown.map((row) => row.text.length));
  const lines = shown.map((row) =>
    row.node ? `${row.text.padEnd(width)}  ${stateOf(row.node, now)}`.trimEnd() : row.text,
  );
  const hidden = rows.length - shown.length;
  const more = hidden > 0 ? [`    … and ${hidden} more`] : [];
  return [`${title}  ${view.status}`, ...lines, ...more].map((line) => line.slice(0, room.columns)).join('\n');
}

interface Row {
  text: string;
  node: NodeView | null;
}

function treeRows(nodes: NodeView[]): Row[] {
  const rows: Row[] = [];
  const open: string[] = [];
  for (const node of [...nodes].sort(byModule(nodes))) {
    const path = node.node.split('/');
    const modules = path.slice(0, -1);
    const shared = open.findIndex((module, depth) => modules[depth] !== module);
    open.length = shared === -1 ? Math.min(open.length, modules.length) : shared;
    for (const module of modules.slice(open.length)) {
      rows.push({ text: `${'  '.repeat(open.length + 1)}${module}/`, node: null });
      open.push(module);
    }
    rows.push({ text: `${'  '.repeat(open.length + 1)}${SIGNS[node.status]} ${titleOf(node)}`, node });
  }
  return rows;
}

/** The plan's order, but a module's nodes together where its first one stands. */
function byModule(nodes: NodeView[]): (a: NodeView, b: NodeView) => number {
  const first = new Map<string, number>();
  nodes.forEach((node, index) => {
    const path = node.node.split('/');
    for (let depth = 1; depth <= path.length; depth += 1) {
      const prefix = path.slice(0, depth).join('/');
      if (!first.has(prefix)) first.set(prefix, index);
    }
  });
  const keys = new Map(
    nodes.map((node, index) => {
      const path = node.node.split('/');
      return [node, [...path.map((_, depth) => first.get(path.slice(0, depth + 1).join('/')) ?? index), index]];
    }),
  );
  return (a, b) => compareLists(keys.get(a) ?? [], keys.get(b) ?? []);
}

function compareLists(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? 0);
}

function titleOf(node: NodeView): string {
  const name = node.node.split('/').at(-1) ?? node.node;
  return node.label === '' || node.label === name.replace(/-\d+$/, '') ? name : `${name} "${node.label}"`;
}

function stateOf(node: NodeView, now: number): string {
  const { children } = node;
  const progress = children && node.status !== 'SKIPPED' ? `${children.done}/${children.total}` : '';
  const reason = explainNode(node);
  const failed = children && children.failed > 0 && reason === null ? `${children.failed} failed` : '';
  const skipped = children && children.skipped > 0 && reason === null ? `${children.skipped} skipped` : '';
  const time = node.startedAt === null ? '' : formatDuration((node.finishedAt ?? now) - node.startedAt);
  return [progress.padStart(11), time.padStart(9), failed, skipped, reason ?? ''].filter(Boolean).join('  ');
}

function fit(rows: Row[], lines: number): Row[] {
  if (rows.length <= lines) return rows;
  let excess = rows.length - lines + 1;
  const kept = rows.filter((row) => {
    const gone = excess > 0 && row.node?.status === 'SUCCEEDED';
    if (gone) excess -= 1;
    return !gone;
  });
  return kept.slice(0, Math.max(1, lines - 1));
}
