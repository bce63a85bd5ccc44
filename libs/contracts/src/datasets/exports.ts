import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { numericId, numericString, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { storedContent } from '../workflows/storage.js';

export const EXPORT_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];
export const EXPORT_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Days for which the file of an export is kept. */
export const EXPORT_DAYS = 7;

export const exportRequest = z
  .looseObject({
    id: numericString,
    vaultId: z.string(),
    user: z.string(),
    queryId: z.string().optional().describe('The view'),
    viewName: z.string().optional(),
    solutionId: z.string().optional(),
    datasetId: z.string().optional(),
    fileName: z.string(),
    format: z.enum(EXPORT_FORMATS),
    size: z.number().int().describe('Bytes of the file; while it is written, of what is there'),
    rows: z.number().int(),
    status: z.enum(EXPORT_STATUSES),
    error: z.string().optional(),
    createdAt: timestamp,
    finishedAt: timestamp.optional(),
    expiresAt: timestamp.optional().describe('When the file goes'),
  })
  .meta({ id: 'ExportRequest' });

const exportParams = z.strictObject({ id: numericId });

const kept = text(10_000);

export const createExport = operation('datasets.exports.create', {
  method: 'POST',
  path: '/exports',
  summary: 'Write the rows of a view, or of a query on a table, into a file',
  description:
    'The rows are those of one moment, in the order that is asked for, else in that in which they came. Without `select` a ' +
    'file has the columns of the rows; `*` has those that Millrace keeps beside them, too. Of a view, `q` narrows its rows, ' +
    '`select` and `order` take the place of its own. CSV is UTF-8 without a byte order mark, has LF at the end of its lines ' +
    'and nothing between commas where there is no value (an empty text is `""`); texts and names that a spreadsheet would ' +
    'take for a formula have an apostrophe before them. Moments are RFC 3339 in UTC, and microseconds in Parquet. At most ' +
    '20 exports of a vault, and 10 of a user, may be unfinished.',
  access: requires('space.query'),
  body: z.strictObject({
    view: text(255, 1).optional(),
    dataset: text(255, 1).optional().describe('One of view and dataset'),
    q: kept.optional(),
    select: kept.optional(),
    order: kept.optional(),
    format: z.enum(EXPORT_FORMATS).default('csv'),
    fileName: text(255, 1)
      .optional()
      .describe('Gets the ending of the format; by default the name of the view or table, and the day'),
  }),
  response: exportRequest,
  status: 201,
  errors: ['not_found'],
});

export const listExports = operation('datasets.exports.list', {
  method: 'GET',
  path: '/exports',
  summary: 'Exports from tables that the caller may query',
  access: anyUser,
  query: listQuery(['id', 'createdAt', 'size'], {
    ordering: '-id',
    filters: { status: z.enum(EXPORT_STATUSES).optional(), dataset: z.string().optional() },
  }),
  response: pageOf(exportRequest),
  list: 'nullable-links',
});

export const getExport = operation('datasets.exports.get', {
  method: 'GET',
  path: '/exports/{id}',
  summary: 'One export, with how far it is',
  access: requires('space.query'),
  params: exportParams,
  response: exportRequest,
});

export const downloadExport = operation('datasets.exports.download', {
  method: 'GET',
  path: '/exports/{id}/download',
  summary: 'The file of an export that has completed; answers range requests',
  description: 'Of one that has not completed the answer is 400.',
  access: requires('space.query'),
  params: exportParams,
  response: storedContent,
  transfer: 'download',
});

export const deleteExport = operation('datasets.exports.delete', {
  method: 'DELETE',
  path: '/exports/{id}',
  summary: 'Delete an export with its file; one that is being written is cancelled',
  description: 'For whoever ordered it, and those who may edit the space of its table.',
  access: anyUser,
  additionalPermissions: { 'in its space': 'space.query', "for another's": 'space.edit' },
  params: exportParams,
  response: z.null(),
  status: 204,
});
