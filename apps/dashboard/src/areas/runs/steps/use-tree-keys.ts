import { type KeyboardEvent, useState } from 'react';
import type { StepRow } from './step-rows.js';

interface TreeKeys {
  rows: readonly StepRow[];
  folded: ReadonlySet<string>;
  /** The row of what is selected, or -1. */
  selectedPlace: number;
  onSelect: (id: string) => void;
  onFold: (key: string) => void;
}

/** The keys of a tree by the ARIA guide: up and down, Home and End move; right and left unfold and fold. @returns the active row */
export function useTreeKeys({ rows, folded, selectedPlace, onSelect, onFold }: TreeKeys) {
  // A module cannot be selected, so the keyboard has a place of its own while it is on one.
  const [module, setModule] = useState<string>();
  const modulePlace = module === undefined ? -1 : rows.findIndex(({ key }) => key === module);
  const active = modulePlace >= 0 ? modulePlace : selectedPlace;
  const goTo = (place: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, place))];
    if (!row) return;
    setModule(row.kind === 'module' ? row.key : undefined);
    if (row.kind === 'step') onSelect(row.id);
  };
  const fold = (isFolded: boolean) => {
    const row = rows[active];
    if (row?.kind === 'module' && folded.has(row.key) !== isFolded) {
      setModule(row.key);
      onFold(row.key);
    } else if (row && isFolded) {
      const parent = rows.slice(0, active).findLastIndex(({ depth }) => depth < row.depth);
      if (parent >= 0) goTo(parent);
    } else if (row?.kind === 'module') goTo(active + 1);
  };
  const toggle = () => {
    const row = rows[active];
    if (row?.kind === 'module') fold(!folded.has(row.key));
  };
  const actions: Record<string, () => void> = {
    ArrowDown: () => goTo(active + 1),
    ArrowUp: () => goTo(active - 1),
    Home: () => goTo(0),
    End: () => goTo(rows.length - 1),
    ArrowRight: () => fold(false),
    ArrowLeft: () => fold(true),
    Enter: toggle,
    ' ': toggle,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const onClick = (row: StepRow) => {
    setModule(row.kind === 'module' ? row.key : undefined);
    if (row.kind === 'step') onSelect(row.id);
    else onFold(row.key);
  };
  return { active, onKeyDown, onClick };
}
