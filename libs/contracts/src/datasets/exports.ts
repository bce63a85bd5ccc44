import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { numericString, text, timestamp, numericPathId } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { storedContent } from '../workflows/storage.js';

export const EXPORT_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];
export const EXPORT_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Days after which the file of an export is deleted. */
export const EXPORT_DAYS = 7;

export const exportRequest = z
  .looseObject({
    id: numericString,
    vaultId: z.string(),
    user: z.string(),
    queryId: z.string().optional().describe('Id of the view'),
    viewName: z.string().optional(),
    solutionId: z.string().optional(),
    datasetId: z.string().optional(),
    fileName: z.string(),
    format: z.enum(EXPORT_FORMATS),
    size: z.number().int().describe('Bytes of the file; of the part written so far while the export runs'),
    rows: z.number().int(),
    status: z.enum(EXPORT_STATUSES),
    error: z.string().optional(),
    createdAt: timestamp,
    finishedAt: timestamp.optional(),
    expiresAt: timestamp.optional().describe('When the file will be deleted'),
  })
  .meta({ id: 'ExportRequest' });

const exportParams = z.strictObject({ id: numericPathId('export') });

const queryField = text(10_000);

export const createExport = operation('datasets.exports.create', {
  method: 'POST',
  path: '/exports',
  summary: 'Export the rows of a view or of a query to a file',
  description:
    'The file contains the rows of one point in time, in the order of `order` or else in the order of loading. ' +
    'Without `select` it has the columns of the rows; `*` adds the columns that Millrace maintains. For a view, ' +
    '`q` narrows its rows further, and `select` and `order` replace those of the view. CSV is UTF-8 without a byte ' +
    'order mark and has LF line ends. A missing value is empty and an empty text is `""`. Texts and names that a ' +
    'spreadsheet would run as a formula start with an apostrophe. Times are RFC 3339 in UTC, and microseconds in ' +
    'Parquet. A vault can have 20 unfinished exports, and a user 10.',
  access: requires('space.query'),
  body: z.strictObject({
    view: text(255, 1).optional().describe('Id of the view to export'),
    dataset: text(255, 1)
      .optional()
      .describe('Id of the Live Table to export; exactly one of `view` and `dataset` is required'),
    q: queryField.optional().describe('Condition of the rows; see docs/reference/query-language.md'),
    select: queryField.optional().describe('Comma-separated columns'),
    order: queryField.optional().describe('Comma-separated columns; a leading `-` sorts in descending order'),
    format: z.enum(EXPORT_FORMATS).default('csv').describe('Format of the file'),
    fileName: text(255, 1)
      .optional()
      .describe('The extension of the format is added. Defaults to the name of the view or table, and the date'),
  }),
  response: exportRequest,
  status: 201,
  errors: ['not_found'],
});

export const listExports = operation('datasets.exports.list', {
  method: 'GET',
  path: '/exports',
  summary: 'List exports of tables that you may query',
  description:
    'Contains exports of all users. Deleted exports are left out. `search` looks in names of files and views.',
  access: anyUser,
  query: listQuery(['id', 'createdAt', 'size'], {
    ordering: '-id',
    filters: {
      status: z.enum(EXPORT_STATUSES).optional().describe('Return only exports with this status'),
      dataset: z.string().optional().describe('Return only exports of the Live Table with this id'),
    },
  }),
  response: pageOf(exportRequest),
  list: 'nullable-links',
});

export const getExport = operation('datasets.exports.get', {
  method: 'GET',
  path: '/exports/{id}',
  summary: 'Get an export with its progress',
  description:
    'While it runs, `size` and `rows` count what is written so far. If `status` is COMPLETED, download the file ' +
    'before `expiresAt`; if it is FAILED, `error` says why.',
  access: requires('space.query'),
  params: exportParams,
  response: exportRequest,
});

export const downloadExport = operation('datasets.exports.download', {
  method: 'GET',
  path: '/exports/{id}/download',
  summary: 'Download the file of a completed export',
  description: 'Supports range requests. The response is 400 if the export has not completed.',
  access: requires('space.query'),
  params: exportParams,
  response: storedContent,
  transfer: 'download',
});

export const deleteExport = operation('datasets.exports.delete', {
  method: 'DELETE',
  path: '/exports/{id}',
  summary: 'Delete an export with its file',
  description:
    'Cancels the export if it is running. Allowed for its author and for users who may edit the space of its table.',
  access: anyUser,
  additionalPermissions: { 'in its space': 'space.query', "for another user's export": 'space.edit' },
  params: exportParams,
  response: z.null(),
  status: 204,
});
