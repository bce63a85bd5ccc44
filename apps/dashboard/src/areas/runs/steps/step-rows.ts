import type { Subjob } from '@millrace/client';

type Node = Pick<Subjob, 'id' | 'node' | 'label' | 'status'>;

/** A row of the list of steps: a node, or a module with the nodes inside it below. */
export type StepRow =
  | { kind: 'module'; key: string; label: string; depth: number; steps: readonly string[] }
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

/** @returns the ids of the steps that were added */
function addRows({ children }: Branch, prefix: string, depth: number, rows: StepRow[]): string[] {
  const added: string[] = [];
  for (const [name, child] of children) {
    const key = prefix + name;
    if (child.id !== undefined) {
      rows.push({ kind: 'step', key, id: child.id, depth });
      added.push(child.id);
      continue;
    }
    const place = rows.length;
    rows.push({ kind: 'module', key, label: name, depth, steps: [] });
    const steps = addRows(child, `${key}/`, depth + 1, rows);
    rows[place] = { kind: 'module', key, label: name, depth, steps };
    added.push(...steps);
  }
  return added;
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

/** The rows without those inside of folded modules. @param folded keys of modules */
export function foldStepRows(rows: readonly StepRow[], folded: ReadonlySet<string>): readonly StepRow[] {
  if (folded.size === 0) return rows;
  let hiddenBelow = Infinity;
  return rows.filter((row) => {
    if (row.depth > hiddenBelow) return false;
    hiddenBelow = row.kind === 'module' && folded.has(row.key) ? row.depth : Infinity;
    return true;
  });
}

/** The row of a step, or of the folded module that hides it; -1 if there is none. */
export const placeOfStep = (rows: readonly StepRow[], step: string | undefined, folded: ReadonlySet<string>): number =>
  step === undefined
    ? -1
    : rows.findIndex((row) =>
        row.kind === 'step' ? row.id === step : folded.has(row.key) && row.steps.includes(step),
      );

// No node is without a name, so no key contains it.
const BETWEEN_KEYS = '//';

/** Keys of modules in one text for the address. */
export const readFolded = (text: string | undefined): ReadonlySet<string> => new Set(text?.split(BETWEEN_KEYS));

/** The text after one module was folded or unfolded; undefined if none is folded. */
export function toggleFolded(folded: ReadonlySet<string>, key: string): string | undefined {
  const next = [...folded].filter((one) => one !== key);
  if (!folded.has(key)) next.push(key);
  return next.join(BETWEEN_KEYS) || undefined;
}
