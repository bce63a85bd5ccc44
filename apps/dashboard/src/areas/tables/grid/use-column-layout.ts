import { useEffect, useMemo } from 'react';
import type { Column } from '@millrace/client';
import { MAX_FIELDS } from '@millrace/query/parse/limits';
import { useStore } from '../../../store/create-store.js';
import { readColumns } from '../query/read-order.js';
import { writeColumns } from '../query/write-query.js';
import { clampWidth, type GridColumn, moveColumn } from './column-layout.js';
import { storedLayout } from './stored-layout.js';

const NO_COLUMNS: readonly Column[] = [];
/** `_row` is one of the fields that `select` takes. Beyond them all columns are read. */
const MAX_SELECTED = MAX_FIELDS - 1;

/**
 * The shown columns of a table. Which ones and in which order is in the address, so that a link shows the same; widths and
 * pins are of this browser, which also remembers the last choice.
 */
export function useColumnLayout(
  table: string,
  all: readonly Column[] = NO_COLUMNS,
  chosenByPage: string | undefined,
  onChoose: (columns: string | undefined) => void,
) {
  const store = storedLayout(table);
  const layout = useStore(store);
  const stored = layout.columns && writeColumns(layout.columns);
  const isLocal = layout.columns !== undefined && isTooLong(layout.columns);
  const chosen = chosenByPage ?? (isLocal ? stored : undefined);
  useEffect(() => {
    if (chosenByPage === undefined && stored !== undefined && !isLocal) onChoose(stored);
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
    onChoose(next && !isTooLong(next) ? writeColumns(next) : undefined);
  };
  return {
    columns,
    /** The chosen columns as views and exports take them. Undefined for all, and if they are more than `select` takes. */
    chosen: chosen === undefined || isTooLong(names) ? undefined : writeColumns(names),
    /** Whether more columns are chosen than `select` takes. */
    isTooLong: chosen !== undefined && isTooLong(names),
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

/** An address of more columns could be too long for a server, and a view takes no more. Then only this browser remembers them. */
const isTooLong = (columns: readonly string[]): boolean => columns.length > MAX_FIELDS;

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
