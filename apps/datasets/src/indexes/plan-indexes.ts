import { indexName, type IndexKind, type IndexId } from '../live/names.js';
import { canIndexColumns } from './can-index.js';
import { MIN_INDEXED_ROWS, MIN_INDEX_USES } from './index-usage.service.js';

/** Of one table; each costs every merge. */
export const MAX_INDEXES = 20;
export const UNUSED_DAYS = 14;
/** For what was asked too rarely to be made. */
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
  /** False where its making was cut off. */
  valid: boolean;
}

export interface IndexPlan {
  drop: string[];
  forget: IndexId[];
  build: IndexId[];
  /** Are there, though their records do not say so. */
  ready: IndexId[];
  /** Not all is as the records say. */
  changes: boolean;
}

interface PlannedColumn {
  number: number;
  /** A `ColumnType`. */
  type: string;
  keyPosition: number | null;
}

/** What is to be done so that a table has the indexes that it is asked for. */
export function planIndexes(
  table: { number: number; rows: bigint; columns: readonly PlannedColumn[] },
  records: readonly IndexRecord[],
  physical: readonly PhysicalIndex[],
  now: Date,
): IndexPlan {
  const leading = table.columns.find(({ keyPosition }) => keyPosition === 1)?.number;
  const valid = new Set(physical.filter((index) => index.valid).map(({ name }) => name));
  const nameOf = (index: IndexId) => indexName(table.number, index);
  const isForgotten = (record: IndexRecord) => isStale(record, now) || !canIndexColumns(record, table.columns);
  const kept = records
    .filter((record) => !isForgotten(record))
    .map((record) => ({ ...record, kind: record.kind as IndexKind }));
  const ready = kept.filter((record) => record.state !== 'unfit' && valid.has(nameOf(record)));
  const isWanted = (record: IndexRecord) => record.state !== 'unfit' && record.uses >= MIN_INDEX_USES;
  // The unique index of the key serves its first column.
  const missing = kept.filter(
    (one) => !ready.includes(one) && isWanted(one) && !(one.kind === 'range' && one.column === leading),
  );
  missing.sort((one, other) => Number(other.uses - one.uses));
  const named = new Set(ready.map(nameOf));
  const drop = physical.map(({ name }) => name).filter((name) => !named.has(name));
  const forget = records.filter(isForgotten).map(({ column, kind, by }) => ({ column, kind: kind as IndexKind, by }));
  const build = table.rows > MIN_INDEXED_ROWS ? missing.slice(0, Math.max(0, MAX_INDEXES - ready.length)) : [];
  const news = ready.filter(({ state }) => state !== 'ready');
  const changes = drop.length + forget.length + build.length + news.length > 0;
  return { drop, forget, build, ready: news, changes };
}

function isStale({ state, uses, lastUsedAt }: IndexRecord, now: Date): boolean {
  const days = state === 'wanted' && uses < MIN_INDEX_USES ? RARELY_USED_DAYS : UNUSED_DAYS;
  return lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() > days * 86_400_000;
}
