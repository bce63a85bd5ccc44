import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import { toLine } from '../to-line.js';
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

/** Width of the bar of a task group, in characters. */
const BAR_CELLS = 10;

/** The size of the terminal. If it has too few lines, the tree omits succeeded nodes first. */
export interface TerminalSize {
  lines: number;
  columns: number;
}

/** Renders a run as a tree with the nodes of each module below it. `now` in milliseconds since the epoch. */
export function renderTree(title: string, view: RunView, now: number, size: TerminalSize): string {
  const rows = toRows(view.list());
  const visible = selectRows(rows, size.lines - 2);
  const width = Math.max(0, ...visible.map((row) => row.text.length));
  const hasBars = visible.some(({ node }) => node !== null && hasProgress(node));
  const lines = visible.map((row) =>
    row.node ? `${row.text.padEnd(width)}  ${describeState(row.node, now, hasBars)}`.trimEnd() : row.text,
  );
  const hidden = rows.length - visible.length;
  const more = hidden > 0 ? [`    … and ${hidden} more`] : [];
  return [`${title}  ${view.status}`, ...lines, ...more].map((line) => line.slice(0, size.columns)).join('\n');
}

interface Row {
  text: string;
  node: NodeView | null;
}

function toRows(nodes: NodeView[]): Row[] {
  const rows: Row[] = [];
  /** Modules of the last row. */
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

/** Sorts in the order of the plan, with the nodes of a module together at the position of its first node. */
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
  return toLine(node.label === '' || node.label === name.replace(/-\d+$/, '') ? name : `${name} "${node.label}"`);
}

const hasProgress = ({ children, status }: NodeView): boolean => children !== null && status !== 'SKIPPED';

/** @param hasBars whether nodes of the tree have a bar, so that the others have a space as wide */
function describeState(node: NodeView, now: number, hasBars: boolean): string {
  const { children } = node;
  const progress = children && hasProgress(node) ? `${children.done}/${children.total}` : '';
  const bar = children && hasProgress(node) ? renderBar(children) : ' '.repeat(BAR_CELLS);
  const reason = explainNode(node);
  const failed = children && children.failed > 0 && reason === null ? `${children.failed} failed` : '';
  const skipped = children && children.skipped > 0 && reason === null ? `${children.skipped} skipped` : '';
  const duration = node.startedAt === null ? '' : formatDuration((node.finishedAt ?? now) - node.startedAt);
  return [progress.padStart(11), hasBars ? bar : '', duration.padStart(9), failed, skipped, reason ?? '']
    .filter(Boolean)
    .join('  ');
}

/** A bar of the children that have ended. It is full only when all have. */
function renderBar({ done, total }: { done: number; total: number }): string {
  const filled = total === 0 ? BAR_CELLS : Math.floor((done / total) * BAR_CELLS);
  return '█'.repeat(filled).padEnd(BAR_CELLS, '░');
}

function selectRows(rows: Row[], lines: number): Row[] {
  if (rows.length <= lines) return rows;
  let excess = rows.length - lines + 1;
  const remaining = rows.filter((row) => {
    const isOmitted = excess > 0 && row.node?.status === 'SUCCEEDED';
    if (isOmitted) excess -= 1;
    return !isOmitted;
  });
  return remaining.slice(0, Math.max(1, lines - 1));
}
