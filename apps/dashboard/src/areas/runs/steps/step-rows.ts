import type { Subjob } from '@millrace/client';

type Node = Pick<Subjob, 'id' | 'node' | 'label' | 'status'>;

/** A row of the list of steps: a node, or a module with the nodes inside it below. */
export type StepRow =
  | { kind: 'module'; key: string; label: string; depth: number }
  | { kind: 'step'; key: string; id: string; depth: number };

/**
 * The rows of the steps of a run, as a tree. It depends on the nodes alone, so it is built once; changes of statuses only move
 * and colour what is in it.
 */
export function buildStepRows(steps: readonly Pick<Node, 'id' | 'node'>[]): StepRow[] {
  const rows: StepRow[] = [];
  const root: Branch = { children: new Map() };
  for (const { id, node } of steps) {
    const path = node.split('/');
    let branch = root;
    for (const name of path.slice(0, -1)) {
      const child: Branch = branch.children.get(name) ?? { children: new Map() };
      branch.children.set(name, child);
      branch = child;
    }
    branch.children.set(path.at(-1) ?? node, { id, children: new Map() });
  }
  addRows(root, '', 0, rows);
  return rows;
}

interface Branch {
  id?: string;
  children: Map<string, Branch>;
}

function addRows({ children }: Branch, prefix: string, depth: number, rows: StepRow[]): void {
  for (const [name, child] of children) {
    const key = prefix + name;
    rows.push(
      child.id === undefined ? { kind: 'module', key, label: name, depth } : { kind: 'step', key, id: child.id, depth },
    );
    addRows(child, `${key}/`, depth + 1, rows);
  }
}

/** The rows whose steps match, and the modules around them. */
export function filterStepRows(rows: readonly StepRow[], matches: (id: string) => boolean): StepRow[] {
  const kept: StepRow[] = [];
  let depth = 0;
  // From the end, so that a module is kept if a row below it was.
  for (const row of rows.toReversed()) {
    const isKept = row.kind === 'step' ? matches(row.id) : depth > row.depth;
    if (isKept) kept.push(row);
    if (isKept) depth = row.depth;
    else if (row.depth < depth) depth = row.depth;
  }
  return kept.toReversed();
}
