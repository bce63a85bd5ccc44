import type { Condition } from '@millrace/query/fields/condition';
import { readField } from '@millrace/query/values/read-field';
import { changesName } from '../live/names.js';
import { toTableRef, type LiveShape } from '../reading/live-shape.js';
import { MAX_PAGE_BYTES, readPage, setOwnProperty, toRows } from '../reading/read-page.js';
import type { ReadSession } from '../reading/read-session.js';

export const CHANGE_KINDS = ['new', 'changed', 'gone'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Changes of one kind in one generation, in the order of their rows. */
export interface ChangeRange {
  kind: ChangeKind;
  generation: bigint;
  /** Only rows after this one. */
  after: bigint;
}

export interface Change {
  kind: ChangeKind;
  row: number;
  before?: unknown;
  after?: unknown;
}

export interface Changes {
  changes: Change[];
  /** Whether the range has more changes. */
  hasMore: boolean;
}

/** Reads the first `limit` changes of a range, or fewer if they are large. */
export function readChanges(
  session: ReadSession,
  shape: LiveShape,
  range: ChangeRange,
  limit: number,
): Promise<Changes> {
  return range.kind === 'new' ? readNew(session, shape, range, limit) : readRecorded(session, shape, range, limit);
}

/** New rows are found by the generation that inserted them. They have their current values. */
async function readNew(session: ReadSession, shape: LiveShape, range: ChangeRange, limit: number): Promise<Changes> {
  const own = shape.columns.filter(({ system }) => !system);
  const fields = own.map((column) => ({ name: column.name, column }));
  const insertedIn = { name: '_f', type: 'bigint' as const, sql: '_f' };
  const condition: Condition = {
    kind: 'test',
    field: { name: '_f', column: insertedIn },
    test: '=',
    values: [{ type: 'bigint', text: String(range.generation) }],
    negated: false,
  };
  const after = { key: String(range.after), values: [] };
  const { rows, hasMore } = await readPage(session, {
    ...toTableRef(shape),
    fields,
    condition,
    order: [],
    after,
    limit,
  });
  const values = toRows(fields, rows);
  const changes = rows.map((row, at) => ({ kind: 'new' as const, row: Number(row[fields.length]), after: values[at] }));
  return { changes, hasMore };
}

async function readRecorded(
  session: ReadSession,
  shape: LiveShape,
  range: ChangeRange,
  limit: number,
): Promise<Changes> {
  const text = `
    SELECT row_id::text, before::text, after::text FROM ${changesName(shape.number)}
    WHERE generation = $1::bigint AND kind = $2::text AND row_id > $3::bigint ORDER BY row_id LIMIT $4::bigint`;
  const values = [String(range.generation), range.kind, String(range.after), String(limit + 1)];
  const { rows, isCut } = await session.run({ text, values }, MAX_PAGE_BYTES);
  const changes = rows.slice(0, limit).map(([row = null, before = null, after = null]) => ({
    kind: range.kind,
    row: Number(row),
    ...(before !== null && { before: toNamed(shape, before) }),
    ...(after !== null && { after: toNamed(shape, after) }),
  }));
  return { changes, hasMore: isCut || rows.length > limit };
}

/** Recorded changes use physical column names. Columns that were dropped since are left out. */
function toNamed({ columns }: LiveShape, json: string): object {
  const values = readField('json', json) as Record<string, unknown>;
  const named: Record<string, unknown> = {};
  for (const { name, sql, system } of columns)
    if (!system && Object.hasOwn(values, sql)) setOwnProperty(named, name, values[sql]);
  return named;
}
