import { indexName, type IndexKind, type IndexId } from '../live/names.js';
import { canIndexColumns } from './candidate-index.js';
import { MIN_INDEXED_ROWS, MIN_INDEX_USES } from './index-usage.service.js';

/** Indexes of one table. Each one slows down every merge. */
export const MAX_INDEXES = 20;
export const UNUSED_DAYS = 14;
/** For candidates that were used too rarely to be built. */
export const RARELY_USED_DAYS = 1;

export interface IndexRecord {
  column: number;
  kind: string;
  by: number;
  state: string;
  uses: bigint;
  lastUsedAt: Date | null;
}

/** An index as Postgres has it. */
export interface PhysicalIndex {
  name: string;
  /** False if its build was interrupted. */
  valid: boolean;
}

export interface IndexPlan {
  drop: string[];
  forget: IndexId[];
  build: IndexId[];
  /** Existing indexes whose records are not `ready`. */
  ready: IndexId[];
  /** The indexes differ from the records. */
  changes: boolean;
}

interface PlannedColumn {
  number: number;
  /** A `ColumnType`. */
  type: string;
  keyPosition: number | null;
}

/** Plans the changes after which a table has the indexes that its queries use. */
export function planIndexes(
  table: { number: number; rows: bigint; columns: readonly PlannedColumn[] },
  records: readonly IndexRecord[],
  physical: readonly PhysicalIndex[],
  now: Date,
): IndexPlan {
  const leading = table.columns.find(({ keyPosition }) => keyPosition === 1)?.number;
  const valid = new Set(physical.filter((index) => index.valid).map(({ name }) => name));
  const nameOf = (index: IndexId) => indexName(table.number, index);
  const isExpired = (record: IndexRecord) => isStale(record, now) || !canIndexColumns(record, table.columns);
  const current = records
    .filter((record) => !isExpired(record))
    .map((record) => ({ ...record, kind: record.kind as IndexKind }));
  const ready = current.filter((record) => record.state !== 'unfit' && valid.has(nameOf(record)));
  const isUsed = (record: IndexRecord) => record.state !== 'unfit' && record.uses >= MIN_INDEX_USES;
  // The unique index of the key serves the key's first column.
  const missing = current.filter(
    (record) => !ready.includes(record) && isUsed(record) && !(record.kind === 'range' && record.column === leading),
  );
  missing.sort((a, b) => Number(b.uses - a.uses));
  const readyNames = new Set(ready.map(nameOf));
  const drop = physical.map(({ name }) => name).filter((name) => !readyNames.has(name));
  const forget = records.filter(isExpired).map(({ column, kind, by }) => ({ column, kind: kind as IndexKind, by }));
  const build = table.rows > MIN_INDEXED_ROWS ? missing.slice(0, Math.max(0, MAX_INDEXES - ready.length)) : [];
  const newlyReady = ready.filter(({ state }) => state !== 'ready');
  const changes = drop.length + forget.length + build.length + newlyReady.length > 0;
  return { drop, forget, build, ready: newlyReady, changes };
}

function isStale({ state, uses, lastUsedAt }: IndexRecord, now: Date): boolean {
  const days = state === 'wanted' && uses < MIN_INDEX_USES ? RARELY_USED_DAYS : UNUSED_DAYS;
  return lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() > days * 86_400_000;
}
