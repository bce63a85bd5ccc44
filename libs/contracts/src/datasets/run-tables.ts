import { z } from 'zod';
import { requires } from '../kit/access.js';
import { numericPathId, pathId } from '../kit/fields.js';
import { pageSize } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { row } from './rows.js';

const params = z.strictObject({ id: numericPathId('run'), otherId: numericPathId('run to compare with') });

const ROLES = 'Both runs must be in spaces that you may read, and you must be able to query the table.';
const DIRECTION = 'The first run of the path is `a`, the other one `b`.';

const cursor = z
  .string()
  .max(100)
  .regex(/^[\w.-]+$/, 'must be the `cursor` of the previous page')
  .optional()
  .describe('The `cursor` of the previous page');
const nextCursor = z.string().nullable().describe('Cursor of the next page; null on the last page');

export const RUN_LOAD_STATES = ['complete', 'partial', 'unfinished', 'failed', 'absent'] as const;

const side = z.object({
  load: z
    .enum(RUN_LOAD_STATES)
    .describe(
      'Whether the run loaded all of its rows. `partial`: the run did not complete or tolerated failures. ' +
        '`absent`: no output of the run is bound to the table',
    ),
  rows: z.number().int().nullable().describe('Distinct rows that the run loaded; null if they are not known'),
  deleted: z.number().int().nullable().describe('How many of `rows` a user has deleted since; they are not compared'),
  rejected: z.number().int().describe('Rows that could not be read'),
});

/** Why the tables of two runs cannot be compared. */
export const UNKNOWN_ROWS_REASONS = ['unfinished', 'cleared', 'not_recorded', 'timeout', 'busy'] as const;

export const tableComparison = z
  .object({
    dataset: z.string(),
    name: z.string().describe('Its current name'),
    primary_key: z.array(z.string()).describe('Without a primary key, rows are compared by their values'),
    a: side,
    b: side,
    counts: z
      .object({
        same: z.number().int(),
        new: z.number().int().describe('Rows that only `b` loaded'),
        changed: z.number().int().describe('Rows that both loaded, with different values'),
        gone: z.number().int().describe('Rows that only `a` loaded'),
      })
      .nullable()
      .describe('Null if they are not known; see `reason`'),
    reason: z.enum(UNKNOWN_ROWS_REASONS).optional().describe('Why `counts` is null'),
    message: z.string().optional().describe('The reason in words'),
    columns: z
      .object({ only_in_a: z.array(z.string()), only_in_b: z.array(z.string()) })
      .describe('Columns that only one of the runs loaded. Their values are not compared'),
  })
  .meta({ id: 'TableComparison' });

export const compareTables = operation('datasets.runTables.compare', {
  method: 'GET',
  path: '/runs/{id}/compare/{otherId}/tables',
  summary: 'Compare the Live Tables that two runs loaded',
  description:
    'For each table that one of the runs loaded: how many rows are the same, new, changed and gone. It compares the rows ' +
    `as each run loaded them, whatever later runs changed. ${DIRECTION} ${ROLES}`,
  access: requires('space.see'),
  params,
  query: z.strictObject({ page_size: pageSize(20, 100), cursor }),
  response: z.object({ results: z.array(tableComparison), cursor: nextCursor }),
});

export const ROW_CHANGES = ['new', 'changed', 'gone'] as const;

export const rowComparison = z
  .object({
    change: z.enum(ROW_CHANGES),
    row: z.number().int().describe('Number of the row (`_row`)'),
    key: row.optional().describe('Values of the primary key; absent if the table has none'),
    a: row.optional().describe('Values as `a` loaded them; of a changed row, only those that differ'),
    b: row.optional().describe('Values as `b` loaded them; of a changed row, only those that differ'),
  })
  .meta({ id: 'RowComparison' });

export const compareTableRows = operation('datasets.runTables.rows', {
  method: 'GET',
  path: '/runs/{id}/compare/{otherId}/tables/{dataset}/rows',
  summary: 'List the rows of a Live Table that differ between two runs',
  description:
    `${DIRECTION} Rows are ordered by change and by number. A page may have fewer rows than \`page_size\`, even none, and ` +
    `still have a \`cursor\`. If the rows are not known, the response is 400 with \`details.reason\`. ${ROLES}`,
  access: requires('space.see'),
  params: params.extend({ dataset: pathId('Live Table') }),
  query: z.strictObject({
    change: z
      .string()
      .transform((value) => value.split(','))
      .pipe(z.array(z.enum(ROW_CHANGES)))
      .optional()
      .describe('Comma-separated; all of them by default'),
    page_size: pageSize(),
    cursor,
  }),
  response: z.object({ results: z.array(rowComparison), cursor: nextCursor }),
});
