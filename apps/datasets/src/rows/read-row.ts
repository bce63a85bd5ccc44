import type { Condition } from '@millrace/query/fields/condition';
import type { Field } from '@millrace/query/fields/field';
import { toTableRef, type LiveShape } from '../reading/live-shape.js';
import { readPage } from '../reading/read-page.js';
import type { ReadSession } from '../reading/read-session.js';
import { toRows } from '../reading/to-rows.js';

/** The generations of a row, in milliseconds since the epoch. */
export interface RowHistory {
  first: bigint;
  changed: bigint | null;
  seen: bigint;
  gone: bigint | null;
  /** Subjob that the current values come from. */
  subjob: bigint | null;
}

/** Reads a row and its generations; null if no row has the number. */
export async function readRow(
  session: ReadSession,
  shape: LiveShape,
  row: string,
): Promise<{ row: object; history: RowHistory } | null> {
  const fields = shape.columns.map((column) => ({ name: column.name, column }));
  const history = ['_f', '_c', shape.lastSeenSql, '_g', '_j'].map(numberField);
  const condition: Condition = {
    kind: 'test',
    field: numberField('_id'),
    test: '=',
    values: [{ type: 'bigint', text: row }],
    negated: false,
  };
  const page = { ...toTableRef(shape), fields: [...fields, ...history], condition, order: [], after: null, limit: 1 };
  const [values] = (await readPage(session, page)).rows;
  if (!values) return null;
  const [first, changed, seen, gone, subjob] = values
    .slice(fields.length)
    .map((digits) => (digits ? BigInt(digits) : null));
  return {
    row: toRows(fields, [values])[0] ?? {},
    history: {
      first: first ?? 0n,
      changed: changed ?? null,
      seen: seen ?? first ?? 0n,
      gone: gone ?? null,
      subjob: subjob ?? null,
    },
  };
}

const numberField = (sql: string): Field => ({ name: sql, column: { name: sql, type: 'bigint', sql } });
