import type { compareTableRows, ROW_CHANGES } from '@millrace/contracts/datasets/run-tables';
import type { Result } from '@millrace/contracts/kit/operation';
import { readField } from '@millrace/query/values/read-field';
import { MAX_PAGE_BYTES, setOwnProperty } from '../../reading/read-page.js';
import type { ReadSession, TextRows } from '../../reading/read-session.js';
import type { ComparedColumn, ComparedTable } from './compared-table.js';
import { findChangedIds } from './find-changed-ids.js';
import { changedRowsSql } from './keyed-pairs.js';
import { findUnmatchedIds, loadedRowsSql, type Scan } from './unmatched-rows.js';

export type RowChange = (typeof ROW_CHANGES)[number];
type ComparedRow = Result<typeof compareTableRows>['results'][number];

/** A place in the list: after a row of one change. */
export interface RowPlace {
  change: RowChange;
  after: bigint;
}

/** Rows that are considered at once. A page with very few changes among many may have fewer rows than requested. */
const MIN_BATCH = 100;
const MAX_BATCHES = 20;

/** How much may be added to a page. */
export interface PageSpace {
  rows: number;
  bytes: number;
}

export const emptyPage = (rows: number): PageSpace => ({ rows, bytes: MAX_PAGE_BYTES });

export interface ListedRows {
  rows: ComparedRow[];
  /** The row after which the next page begins; null if there are no more. */
  next: bigint | null;
  /** How much may still be added to the page. */
  space: PageSpace;
}

/** Lists rows of one change after a row. */
export async function listRows(
  session: ReadSession,
  table: ComparedTable,
  { change, after }: RowPlace,
  { rows: limit, bytes: maxBytes }: PageSpace,
): Promise<ListedRows> {
  const found: ComparedRow[] = [];
  let bytes = maxBytes;
  const toResult = (next: bigint | null): ListedRows => ({
    rows: found,
    next,
    space: { rows: limit - found.length, bytes },
  });
  let place = after;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const size = change === 'changed' ? Math.max(MIN_BATCH, limit) : limit - found.length;
    const scan = await findIds(session, table, change, { after: place, limit: size });
    const read = await readRows(session, table, change, scan.ids, bytes);
    const rows = read.rows.slice(0, limit - found.length).map((row) => toRow(table, change, row));
    found.push(...rows);
    bytes -= read.bytes;
    if (read.isCut || rows.length < read.rows.length) return toResult(BigInt(found.at(-1)?.row ?? place));
    if (scan.scannedTo === null) return toResult(null);
    place = scan.scannedTo;
    if (found.length === limit) return toResult(place);
  }
  return toResult(place);
}

function findIds(
  session: ReadSession,
  table: ComparedTable,
  change: RowChange,
  page: { after: bigint; limit: number },
): Promise<Scan> {
  if (change === 'changed') return findChangedIds(session, table, page);
  return findUnmatchedIds(session, table, change === 'new' ? 'b' : 'a', page);
}

async function readRows(
  session: ReadSession,
  table: ComparedTable,
  change: RowChange,
  ids: readonly bigint[],
  maxBytes: number,
): Promise<TextRows> {
  const list = `'{${ids.join(',')}}'::bigint[]`;
  const query =
    change === 'changed' ? changedRowsSql(table, list) : loadedRowsSql(table, change === 'new' ? 'b' : 'a', list);
  if (ids.length === 0 || !query) return { rows: [], bytes: 0, isCut: false };
  const values = change === 'changed' ? 'a::text, b::text' : 'row::text';
  return session.run(
    { text: `SELECT _id::text, key::text, ${values} FROM (${query}) r ORDER BY r._id`, values: [] },
    maxBytes,
  );
}

function toRow(
  { columns, key }: ComparedTable,
  change: RowChange,
  [id, keyTexts, first, second]: TextRows['rows'][number],
): ComparedRow {
  const row = { change, row: Number(id), ...(keyTexts != null && { key: toNamed(key, keyTexts) }) };
  if (change === 'new') return { ...row, b: toNamed(columns, first) };
  if (change === 'gone') return { ...row, a: toNamed(columns, first) };
  const [inA, inB] = [JSON.parse(first ?? '{}') as Texts, JSON.parse(second ?? '{}') as Texts];
  const differing = columns.filter(({ number }) => (inA[number] ?? inB[number] ?? null) !== null);
  return { ...row, a: toNamed(differing, first), b: toNamed(differing, second) };
}

/** Texts of values by the number of their column. */
type Texts = Record<string, string | null>;

function toNamed(columns: readonly ComparedColumn[], json: string | null | undefined): object {
  const texts = JSON.parse(json ?? '{}') as Texts;
  const named: Record<string, unknown> = {};
  for (const { number, name, type } of columns) {
    const text = texts[number];
    if (text !== undefined) setOwnProperty(named, name, toValue(type, text));
  }
  return named;
}

/** A former value may not fit the current type. Then it is shown as text. */
function toValue(type: ComparedColumn['type'], text: string | null): unknown {
  if (text === null || type === 'timestamp') return text;
  if (type === 'bigint' && !/^-?\d+$/.test(text)) return text;
  if (type === 'double' && !Number.isFinite(Number(text))) return text;
  if (type === 'boolean' && text !== 'true' && text !== 'false') return text;
  return readField(type, text);
}
