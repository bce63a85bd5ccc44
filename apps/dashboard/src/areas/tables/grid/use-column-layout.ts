import { useEffect, useMemo } from 'react';
import type { Column } from '@millrace/client';
import { useStore } from '../../../store/create-store.js';
import { readColumns } from '../query/read-order.js';
import { writeColumns } from '../query/write-query.js';
import { clampWidth, type GridColumn, moveColumn } from './column-layout.js';
import { storedLayout } from './stored-layout.js';

const NO_COLUMNS: readonly Column[] = [];
/** `select` takes 100 fields. Beyond that all columns are read. */
const MAX_SELECTED = 99;

/**
 * The shown columns of a table. Which ones and in which order is in the address, so that a link shows the same; widths and
 * pins are of this browser, which also remembers the last choice.
 */
export function useColumnLayout(
  table: string,
  all: readonly Column[] = NO_COLUMNS,
  chosen: string | undefined,
  onChoose: (columns: string | undefined) => void,
) {
  const store = storedLayout(table);
  const layout = useStore(store);
  const stored = layout.columns && writeColumns(layout.columns);
  useEffect(() => {
    if (chosen === undefined && stored !== undefined) onChoose(stored);
    // Only when the table opens; afterwards a reset must not bring the choice back.
  }, [table]);

  const columns = useMemo(() => chooseColumns(all, chosen), [all, chosen]);
  const names = columns.map(({ name }) => name);
  const select = useMemo(() => selectOf(all, columns), [all, columns]);
  const first = columns[0]?.name;
  const pinned = useMemo(() => layout.pinned ?? (first === undefined ? [] : [first]), [layout.pinned, first]);
  const choose = (next: readonly string[] | undefined) => {
    const { columns: _columns, ...rest } = store.get();
    store.set(next ? { ...rest, columns: next } : rest);
    onChoose(next && writeColumns(next));
  };
  return {
    columns,
    /** Whether the user has chosen the columns. */
    isChosen: chosen !== undefined,
    select,
    widths: layout.widths,
    pinned,
    choose,
    move: (moved: string, target: string) => choose(moveColumn(names, moved, target)),
    hide: (name: string) => choose(names.filter((other) => other !== name)),
    resize: (name: string, width: number) =>
      store.set({ ...store.get(), widths: { ...store.get().widths, [name]: clampWidth(width) } }),
    togglePin: (name: string) => {
      const next = pinned.includes(name) ? pinned.filter((other) => other !== name) : [...pinned, name];
      store.set({ ...store.get(), pinned: next });
    },
  };
}

export type ColumnChoice = ReturnType<typeof useColumnLayout>;

function chooseColumns(all: readonly Column[], chosen: string | undefined): GridColumn[] {
  const byName = new Map(all.map((column) => [column.name, column]));
  const names = chosen === undefined ? [] : readColumns(chosen).filter((name) => byName.has(name));
  const shown =
    names.length > 0 ? names.flatMap((name) => byName.get(name) ?? []) : all.filter(({ system }) => !system);
  return shown.map(({ name, type, primary_key: isKey }) => ({ name, type, isKey }));
}

/** In the order of the table, so that moving a column does not read the rows again. */
function selectOf(all: readonly Column[], columns: readonly GridColumn[]): string {
  if (columns.length === 0 || columns.length > MAX_SELECTED) return '';
  const shown = new Set(['_row', ...columns.map(({ name }) => name)]);
  return writeColumns(all.map(({ name }) => name).filter((name) => shown.has(name)));
}
