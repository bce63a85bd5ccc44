import { z } from 'zod';
import { requires, onlyServices } from '../kit/access.js';
import { idParams, numericId, timestamp } from '../kit/fields.js';
import { internalOperation, operation } from '../kit/operation.js';
import { load } from './loads.js';

/** Longest `q`, `select` or `order`, in characters. */
const MAX_QUERY = 10_000;
/** Parsed by libs/query, whose errors say where; here only its length is bounded. */
export const queryText = z.string().max(MAX_QUERY);

/** How exactly an answer counts: `auto` waits for nothing, and gives an estimate where the count is not ready. */
const COUNTS = ['auto', 'exact', 'none'] as const;

export const rowsQuery = z.strictObject({
  q: queryText.default('').describe('Condition; see docs/reference/query-language.md'),
  select: queryText.default('').describe('Comma list of columns; empty is all'),
  order: queryText.default('').describe('Comma list of [-]column; rows without a value come last'),
  page_size: z.coerce.number().int().min(1).max(1000).default(200),
  cursor: z.string().max(100_000).optional().describe('From the page before, with the same q and order'),
  count: z.enum(COUNTS).default('auto'),
});

/** A row: values by column name, as the user wrote it. `unknown`, for a column may be named `__proto__`. */
const row = z.unknown();

export const rowsPage = z
  .object({
    results: z.array(row),
    columns: z.array(z.object({ name: z.string(), type: z.string() })).describe('Of the rows, in order'),
    count: z.number().int().optional().describe('Of all rows that match; absent with count=none'),
    count_is_estimate: z.boolean().optional(),
    cursor: z.string().nullable().describe('Of the next page; null on the last'),
  })
  .meta({ id: 'RowsPage' });

export const queryRows = operation('datasets.rows.query', {
  method: 'GET',
  path: '/datasets/{id}/rows',
  summary: 'Rows of a Live Table: filtered, ordered, a page at a time',
  description:
    'Each row carries `_row`, its number, and with them `_first_seen`, `_run`, and of a table with a primary key `_last_seen` ' +
    'and `_state` (new, changed, unchanged, gone). A page ends early where its rows are large.',
  access: requires('space.query'),
  params: idParams,
  query: rowsQuery,
  response: rowsPage,
});

export const appendRows = operation('datasets.rows.append', {
  method: 'POST',
  path: '/datasets/{id}/rows',
  summary: 'Add rows: JSON (an object, or an array of them), JSON lines, or CSV with a header',
  description:
    'Told by Content-Type: application/json, application/x-ndjson (or application/jsonl), text/csv; by Content-Encoding: gzip ' +
    'or zstd. Rows with the key of a row that is there take its place. The answer comes when the rows can be queried, or ' +
    'after ten seconds with the load as it is then.',
  access: requires('space.edit'),
  params: idParams,
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

/** Asked before gigabytes are taken in. */
export const admitRows = internalOperation('datasets.rows.admit', {
  summary: 'Whether the caller may add rows to a Live Table',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({ dataset: z.string() }),
  response: z.object({ max_bytes: z.number().int().optional() }),
});

export const deleteRows = operation('datasets.rows.delete', {
  method: 'DELETE',
  path: '/datasets/{id}/rows',
  summary: 'Delete the rows that match `q`',
  access: requires('space.edit'),
  params: idParams,
  query: z.strictObject({ q: queryText.min(1, 'must say which rows; to delete all, clear the table') }),
  response: z.object({ deleted: z.number().int() }),
});

/** What made a row what it is at one of its moments. */
const origin = z.object({
  at: timestamp,
  run: z.string().optional(),
  workflow: z.string().optional(),
  version: z.string().optional().describe('Of the workflow'),
  node: z.string().optional(),
  subjob: z.string().optional(),
  output: z.string().optional().describe('Id of the output that it was read from'),
  load: z.string().optional(),
});

export const getRow = operation('datasets.rows.get', {
  method: 'GET',
  path: '/datasets/{id}/rows/{row}',
  summary: 'One row, and where it comes from: run, subjob, output and version of the workflow',
  access: requires('space.query'),
  params: z.strictObject({ id: z.string(), row: numericId }),
  response: z.object({
    row,
    first_seen: origin,
    last_changed: origin.optional().describe('Where it changed since it was first seen'),
    last_seen: origin,
    gone: origin.optional(),
  }),
});

export const listChanges = operation('datasets.rows.changes', {
  method: 'GET',
  path: '/datasets/{id}/changes',
  summary: 'What a run changed in a table: rows that are new, changed (before and after) or gone',
  access: requires('space.query'),
  params: idParams,
  query: z.strictObject({
    run: z.string().max(30).optional().describe('Absent is the last that was read'),
    kind: z.enum(['new', 'changed', 'gone']).optional(),
    page_size: z.coerce.number().int().min(1).max(1000).default(200),
    cursor: z.string().max(1000).optional(),
  }),
  response: z.object({
    results: z.array(
      z.object({
        kind: z.enum(['new', 'changed', 'gone']),
        row: z.number().int().describe('Its `_row`'),
        before: row.optional(),
        after: row.optional(),
      }),
    ),
    run: z.string().optional(),
    at: timestamp.optional(),
    counts: z.object({ new: z.number().int(), changed: z.number().int(), gone: z.number().int() }),
    cursor: z.string().nullable(),
  }),
});

export const aggregateRows = operation('datasets.rows.aggregate', {
  method: 'GET',
  path: '/datasets/{id}/aggregate',
  summary: 'Counts, sums, least and greatest values by group, for charts',
  description:
    '`group_by` is a comma list of columns, each with an optional bucket: `_first_seen:1d`, `port:100`. `metrics` is a comma ' +
    'list of count, count(c), distinct(c), min(c), max(c), sum(c), avg(c).',
  access: requires('space.query'),
  params: idParams,
  query: z.strictObject({
    q: queryText.default(''),
    group_by: queryText.default(''),
    metrics: queryText.default('count'),
    order: queryText.default('').describe('Comma list of [-] group or metric, as written there'),
    limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  }),
  response: z.object({
    results: z.array(row).describe('One object a group: its values by group and metric, as written in the request'),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    more: z.boolean().describe('There are more groups than `limit`'),
  }),
});

export const getQueryHelp = operation('datasets.rows.help', {
  method: 'GET',
  path: '/datasets/{id}/query-help',
  summary: 'What may come next in a query, for editors; and where a query is wrong',
  access: requires('space.query'),
  params: idParams,
  query: z.strictObject({
    text: queryText.default(''),
    position: z.coerce.number().int().min(0).max(MAX_QUERY).optional().describe('Of the caret; absent is the end'),
  }),
  response: z.object({
    columns: z.array(z.object({ name: z.string(), type: z.string(), operators: z.array(z.string()) })),
    from: z.number().int().describe('Characters from here …'),
    to: z.number().int().describe('… to here are what an item takes the place of'),
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
      .describe('What is wrong with the whole text'),
  }),
});
