import { z } from 'zod';
import { requires, onlyServices } from '../kit/access.js';
import { timestamp, idOf, pathId, numericId } from '../kit/fields.js';
import { pageSize } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';
import { load } from './loads.js';

/** Maximum length of `q`, `select` and `order`, in characters. */
const MAX_QUERY_LENGTH = 10_000;
/** Parsed by libs/query, whose errors name the position; the contract limits only its length. */
export const queryText = z.string().max(MAX_QUERY_LENGTH);

/** Precision of `count`: `auto` never waits, and returns an estimate if the exact count is not ready. */
const COUNTS = ['auto', 'exact', 'none'] as const;

export const rowsQuery = z.strictObject({
  q: queryText.default('').describe('Condition; see docs/reference/query-language.md'),
  select: queryText.default('').describe('Comma-separated columns; all if empty'),
  order: queryText
    .default('')
    .describe('Comma-separated columns; a leading `-` sorts in descending order. Rows without a value come last'),
  page_size: pageSize(),
  cursor: z.string().max(100_000).optional().describe('Cursor of the previous page; requires the same `q` and `order`'),
  count: z
    .enum(COUNTS)
    .default('auto')
    .describe(
      'Precision of the count: `auto` returns an estimate if the exact count is not ready, `exact` waits for it, `none` omits it',
    ),
});

/**
 * A row: values by column name, exactly as the user wrote them. It is `unknown` because a column may be named
 * `__proto__`, which an object of zod drops.
 */
export const row = z.unknown().meta({ type: 'object', additionalProperties: true });

export const rowsPage = z
  .object({
    results: z.array(row),
    columns: z.array(z.object({ name: z.string(), type: z.string() })).describe('Columns of the rows, in order'),
    count: z.number().int().optional().describe('Number of all matching rows; absent with `count=none`'),
    count_is_estimate: z.boolean().optional(),
    cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  })
  .meta({ id: 'RowsPage' });

export const queryRows = operation('datasets.rows.query', {
  method: 'GET',
  path: '/datasets/{id}/rows',
  summary: 'Query rows of a Live Table',
  description:
    'Each row has its number in `_row`, and `_first_seen` and `_run`; a table with a primary key adds `_last_seen` ' +
    'and `_state` (new, changed, unchanged, gone). A page has fewer rows if they are large.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  query: rowsQuery,
  response: rowsPage,
  tool: {
    name: 'query_table',
    guidance:
      'Name the columns in `select` if rows are long. Syntax of `q`: `read_docs` with the page `reference/query-language.md`.',
  },
});

export const appendRows = operation('datasets.rows.append', {
  method: 'POST',
  path: '/datasets/{id}/rows',
  summary: 'Add rows to a Live Table',
  description:
    'Send JSON (an object or an array of objects), JSON lines, or CSV with a header. Content-Type selects the ' +
    'format: application/json, application/x-ndjson (or application/jsonl), text/csv. Content-Encoding may be gzip ' +
    'or zstd. A row with an existing key replaces that row. The response is sent when the rows can be queried, or ' +
    'after ten seconds with the current state of the load.',
  access: requires('space.edit'),
  params: idOf('Live Table'),
  body: z.strictObject({
    format: z.enum(['json', 'ndjson', 'csv']),
    encoding: z.enum(['identity', 'gzip', 'zstd']),
    size: z.number().int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  response: load,
  errors: ['payload_too_large'],
  transfer: 'rows',
});

/** Called before the gateway accepts an upload, which may have gigabytes. */
export const admitRows = internalOperation('datasets.rows.admit', {
  summary: 'Check whether the caller may add rows to a Live Table',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({ dataset: z.string() }),
  response: z.object({ max_bytes: z.number().int().optional() }),
});

export const deleteRows = operation('datasets.rows.delete', {
  method: 'DELETE',
  path: '/datasets/{id}/rows',
  summary: 'Delete the rows that match `q`',
  description:
    'Returns the number of deleted rows; they cannot be restored. An empty condition is 400: clear the table ' +
    'instead. A table that a load is changing may give 429.',
  access: requires('space.edit'),
  params: idOf('Live Table'),
  query: z.strictObject({
    q: queryText
      .min(1, 'must select the rows to delete; to delete all, clear the table')
      .describe('Condition of the rows to delete; see docs/reference/query-language.md'),
  }),
  response: z.object({ deleted: z.number().int() }),
});

/** The origin of one change of a row. */
const origin = z.object({
  at: timestamp,
  run: z.string().optional(),
  workflow: z.string().optional(),
  version: z.string().optional().describe('Version of the workflow'),
  node: z.string().optional(),
  subjob: z.string().optional(),
  output: z.string().optional().describe('Id of the output that contained it'),
  load: z.string().optional(),
});

export const getRow = operation('datasets.rows.get', {
  method: 'GET',
  path: '/datasets/{id}/rows/{row}',
  summary: 'Get a row with its origin',
  description: 'The origin names the run, subjob, output and workflow version.',
  access: requires('space.query'),
  params: z.strictObject({ id: pathId('Live Table'), row: numericId.describe('Number of the row (`_row`)') }),
  response: z.object({
    row,
    first_seen: origin,
    last_changed: origin.optional().describe('Present if it changed after it was first seen'),
    last_seen: origin,
    gone: origin.optional(),
  }),
});

export const listChanges = operation('datasets.rows.changes', {
  method: 'GET',
  path: '/datasets/{id}/changes',
  summary: 'List what a run changed in a table',
  description: 'Lists new rows, changed rows (before and after) and rows that are gone.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  query: z.strictObject({
    run: z.string().max(30).optional().describe('Id of the run; defaults to the run that was loaded last'),
    kind: z.enum(['new', 'changed', 'gone']).optional().describe('Return only changes of this kind'),
    page_size: pageSize(),
    cursor: z.string().max(1000).optional().describe('The `cursor` of the previous page'),
  }),
  response: z.object({
    results: z.array(
      z.object({
        kind: z.enum(['new', 'changed', 'gone']),
        row: z.number().int().describe('Number of the row (`_row`)'),
        before: row.optional(),
        after: row.optional(),
      }),
    ),
    run: z.string().optional(),
    at: timestamp.optional(),
    counts: z.object({ new: z.number().int(), changed: z.number().int(), gone: z.number().int() }),
    cursor: z.string().nullable(),
  }),
  tool: { name: 'list_table_changes', guidance: 'Shows what a run added, changed and no longer found.' },
});

export const aggregateRows = operation('datasets.rows.aggregate', {
  method: 'GET',
  path: '/datasets/{id}/aggregate',
  summary: 'Aggregate rows by group, for charts',
  description:
    '`group_by` is a comma-separated list of columns, each with an optional bucket: `_first_seen:1d`, `port:100`. ' +
    '`metrics` is a comma-separated list of count, count(c), distinct(c), min(c), max(c), sum(c), avg(c).',
  access: requires('space.query'),
  params: idOf('Live Table'),
  query: z.strictObject({
    q: queryText.default('').describe('Aggregate only rows that match this condition'),
    group_by: queryText
      .default('')
      .describe('Comma-separated columns, each with an optional bucket; empty for one group'),
    metrics: queryText.default('count').describe('Comma-separated metrics'),
    order: queryText
      .default('')
      .describe('Comma-separated groups or metrics as written in the request; a leading `-` sorts in descending order'),
    limit: z.coerce.number().int().min(1).max(10_000).default(1000).describe('Maximum number of groups, 1 to 10000'),
  }),
  response: z.object({
    results: z
      .array(row)
      .describe('One object per group, with its values by group and metric as written in the request'),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    more: z.boolean().describe('Whether there are more than `limit` groups'),
  }),
  tool: { name: 'aggregate_table', guidance: 'Prefer it to counting rows yourself.' },
});

export const getQueryHelp = operation('datasets.rows.help', {
  method: 'GET',
  path: '/datasets/{id}/query-help',
  summary: 'Complete and check a query in an editor',
  description: 'Returns what may come next at `position`, and the first error of the text.',
  access: requires('space.query'),
  params: idOf('Live Table'),
  query: z.strictObject({
    text: queryText.default('').describe('Text of the query so far'),
    position: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_QUERY_LENGTH)
      .optional()
      .describe('Position of the caret; defaults to the end'),
  }),
  response: z.object({
    columns: z.array(z.object({ name: z.string(), type: z.string(), operators: z.array(z.string()) })),
    from: z.number().int().describe('Start of the text that an item replaces'),
    to: z.number().int().describe('End of the text that an item replaces'),
    items: z.array(
      z.object({
        label: z.string(),
        kind: z.enum(['column', 'operator', 'keyword', 'value']),
        insert: z.string(),
        detail: z.string().optional(),
      }),
    ),
    error: z
      .object({ message: z.string(), position: z.number().int(), expected: z.array(z.string()) })
      .optional()
      .describe('First error of the whole text'),
  }),
});
