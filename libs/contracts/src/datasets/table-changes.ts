import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { event } from '../kit/event.js';
import { timestamp } from '../kit/fields.js';
import { internalOperation } from '../kit/operation.js';

const count = z.number().int().nonnegative();

/** A load has changed rows of a table. Published once for each load, in the transaction that changes them. */
export const tableChanged = event('datasets.table.changed', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({
    vault: z.uuid(),
    space: z.uuid(),
    solution: z.uuid(),
    dataset: z.uuid(),
    name: z.string(),
    load: z.string(),
    generation: z.string().describe('Identifies the rows that the load made new or changed'),
    run: z.string().optional().describe('Absent for an upload'),
    workflow: z.uuid().optional(),
    partial: z.boolean(),
    new: count,
    changed: count,
    gone: count,
    at: timestamp,
  }),
});

/** Tables were deleted with their views, or single views were deleted or now belong to another table. */
export const tablesDeleted = event('datasets.tables.deleted', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({ vault: z.uuid(), datasets: z.array(z.uuid()), views: z.array(z.uuid()) }),
});

const table = z.object({
  dataset: z.uuid(),
  name: z.string(),
  space: z.uuid(),
  public: z.boolean().describe('Every member of the vault may query it'),
  view: z.object({ id: z.uuid(), name: z.string(), solution: z.uuid() }).nullable(),
});

export const locateTable = internalOperation('datasets.tables.locate', {
  summary: 'Find a Live Table, or a view and its table',
  access: onlyServices('notifications'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), dataset: z.string().optional(), view: z.string().optional() }),
  response: z.object({ table: table.nullable() }),
});

/** Limits of the rows in a message about a change. */
export const MAX_CHANGED_ROWS = 10;
export const MAX_CHANGED_BYTES = 16 * 1024;

export const matchChanges = internalOperation('datasets.changes.match', {
  summary: 'Find the rows that a load made new or changed, all of them or those that match a view',
  access: onlyServices('notifications'),
  readOnly: true,
  body: z.object({ vault: z.uuid(), dataset: z.uuid(), generation: z.string(), view: z.uuid().nullable() }),
  response: z.object({
    table: table.nullable().describe('Null if the table or the view no longer exists'),
    new: count,
    changed: count,
    rows: z
      .array(z.object({ kind: z.enum(['new', 'changed']), row: z.record(z.string(), z.unknown()) }))
      .describe('The first rows, with their current values'),
    columns: z
      .array(z.string())
      .optional()
      .describe(
        'Columns of the rows to show, in order: without those that Millrace maintains, unless the view selects them',
      ),
    problem: z.string().optional().describe('Why it is unknown which rows match'),
  }),
});
