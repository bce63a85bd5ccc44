import type { Store } from '../../../store/create-store.js';
import { createStoredValue } from '../../../store/stored-value.js';

/** What this browser remembers of a table's columns. */
export interface StoredLayout {
  widths: Readonly<Record<string, number>>;
  /** Undefined as long as the user has pinned nothing: then the first column stays in view. */
  pinned?: readonly string[];
  /** The shown columns in their order; undefined for all of the table. */
  columns?: readonly string[];
}

const NOTHING: StoredLayout = { widths: {} };
const stores = new Map<string, Store<StoredLayout>>();

export function storedLayout(table: string): Store<StoredLayout> {
  const known = stores.get(table);
  if (known) return known;
  const store = createStoredValue(`tables.layout.${table}`, NOTHING, parseLayout);
  stores.set(table, store);
  return store;
}

function parseLayout(value: unknown): StoredLayout | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { widths, pinned, columns } = value as Record<string, unknown>;
  return {
    widths: typeof widths === 'object' && widths !== null ? parseWidths(widths) : {},
    ...(parseNames(pinned) && { pinned: parseNames(pinned) ?? [] }),
    ...(parseNames(columns) && { columns: parseNames(columns) ?? [] }),
  };
}

const parseWidths = (widths: object): Record<string, number> =>
  Object.fromEntries(Object.entries(widths).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));

const parseNames = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : undefined;
