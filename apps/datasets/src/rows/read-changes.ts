import type { Condition } from '@millrace/query/parse/condition';
import { readField } from '@millrace/query/values/read-field';
import { changesName } from '../live/names.js';
import { toTableRef, type LiveShape } from '../reading/live-shape.js';
import { MAX_PAGE_BYTES, readPage } from '../reading/read-page.js';
import type { ReadSession } from '../reading/read-session.js';
import { setOwnProperty, toRows } from '../reading/to-rows.js';

export const CHANGE_KINDS = ['new', 'changed', 'gone'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Changes of one kind in one generation, in the order of their rows. */
export interface ChangeRange {
  kind: ChangeKind;
  generation: bigint;
  /** Only rows behind this one. */
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
  /** There are more of the range than these. */
  hasMore: boolean;
}

/** The first `limit` of a range, or fewer where they are large. */
export function readChanges(
  session: ReadSession,
  shape: LiveShape,
  range: ChangeRange,
  limit: number,
): Promise<Changes> {
  return range.kind === 'new' ? readNew(session, shape, range, limit) : readKept(session, shape, range, limit);
}

/** Which rows are new follows from the rows. They are given as they are now. */
async function readNew(session: ReadSession, shape: LiveShape, range: ChangeRange, limit: number): Promise<Changes> {
  const own = shape.columns.filter(({ system }) => !system);
  const fields = own.map((column) => ({ name: column.name, column }));
  const cameWith = { name: '_f', type: 'bigint' as const, sql: '_f' };
  const condition: Condition = {
    kind: 'test',
    field: { name: '_f', column: cameWith },
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

async function readKept(session: ReadSession, shape: LiveShape, range: ChangeRange, limit: number): Promise<Changes> {
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

/** What is kept goes by physical columns; those that were dropped since are left out. */
function toNamed({ columns }: LiveShape, json: string): object {
  const kept = readField('json', json) as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  for (const { name, sql, system } of columns)
    if (!system && Object.hasOwn(kept, sql)) setOwnProperty(made, name, kept[sql]);
  return made;
}
