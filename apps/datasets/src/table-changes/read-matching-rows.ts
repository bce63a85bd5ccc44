import { MAX_CHANGED_BYTES, MAX_CHANGED_ROWS, type matchChanges } from '@millrace/contracts/datasets/table-changes';
import type { Result } from '@millrace/contracts/kit/operation';
import type { Condition } from '@millrace/query/fields/condition';
import type { Field } from '@millrace/query/fields/field';
import type { LiveShape } from '../reading/live-shape.js';
import { planQuery } from '../reading/plan-query.js';
import { readPage, toRows } from '../reading/read-page.js';
import type { ReadSession } from '../reading/read-session.js';
import { countRows } from '../reading/row-counter.js';
import type { SavedQuery } from '../views/saved-query.js';

type Matching = Pick<Result<typeof matchChanges>, 'new' | 'changed' | 'rows' | 'columns'>;

/** Finds the rows of one generation that match a query: how many are new and how many changed, and the first of them. */
export async function readMatchingRows(
  session: ReadSession,
  shape: LiveShape,
  query: SavedQuery,
  generation: bigint,
): Promise<Matching> {
  const page = planQuery(shape, { ...query, page_size: MAX_CHANGED_ROWS });
  const [isNew, isChanged] = [isGeneration('_f', generation), isGeneration('_c', generation)];
  const select = (changed: Condition): Condition => ({
    kind: 'and',
    items: page.condition === null ? [changed] : [changed, page.condition],
  });
  const insertedIn = { name: '', column: isNew.field.column };
  const fields = [...page.fields, insertedIn];
  const condition = select({ kind: 'or', items: [isNew, isChanged] });
  const { rows, hasMore } = await readPage(session, { ...page, fields, condition });
  const kinds = rows.map((row): 'new' | 'changed' =>
    row[page.fields.length] === String(generation) ? 'new' : 'changed',
  );
  const found = toRows(page.fields, rows).map((row, at) => ({
    kind: kinds[at] ?? 'changed',
    row: row as Record<string, unknown>,
  }));
  const count = async (kind: 'new' | 'changed', test: Condition) =>
    hasMore ? countRows(session, page.table, select(test)) : kinds.filter((found) => found === kind).length;
  const first = takeUntilFull(found);
  return {
    ...{ new: await count('new', isNew), changed: await count('changed', isChanged), rows: first },
    // Each row has all the names, so they have a bounded size, too.
    ...(first.length > 0 && { columns: listColumns(shape, query, page.fields) }),
  };
}

/** The names of a view's columns. If it selects all of them, without those that Millrace maintains. */
function listColumns({ columns }: LiveShape, { select }: SavedQuery, fields: readonly Field[]): string[] {
  const names = fields.map(({ name }) => name);
  if (!['', '*'].includes(select.trim())) return names;
  const system = new Set(columns.filter((column) => column.system).map(({ name }) => name));
  return names.filter((name) => !system.has(name));
}

const isGeneration = (sql: '_f' | '_c', generation: bigint) => ({
  kind: 'test' as const,
  field: { name: sql, column: { name: sql, type: 'bigint' as const, sql } },
  test: '=' as const,
  values: [{ type: 'bigint' as const, text: String(generation) }],
  negated: false,
});

function takeUntilFull(rows: Matching['rows']): Matching['rows'] {
  let bytes = 0;
  const isFull = (row: object) => (bytes += Buffer.byteLength(JSON.stringify(row))) > MAX_CHANGED_BYTES;
  const end = rows.findIndex(isFull);
  return end === -1 ? rows : rows.slice(0, end);
}
