import { z } from 'zod';
import { anyUser, may } from '../kit/access.js';
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
    'In CSV, values that a spreadsheet would take for a formula are written with an apostrophe before them. The rows are ' +
    'those of one moment.',
  access: may('space.query'),
  body: z.strictObject({
    view: text(255, 1).optional(),
    dataset: text(255, 1).optional().describe('One of view and dataset'),
    q: kept.optional(),
    select: kept.optional(),
    order: kept.optional(),
    format: z.enum(EXPORT_FORMATS).default('csv'),
    fileName: text(255, 1).optional(),
  }),
  response: exportRequest,
  status: 201,
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
  access: may('space.query'),
  params: exportParams,
  response: exportRequest,
});

export const downloadExport = operation('datasets.exports.download', {
  method: 'GET',
  path: '/exports/{id}/download',
  summary: 'The file of an export that has completed; answers range requests',
  access: may('space.query'),
  params: exportParams,
  response: storedContent,
  transfer: 'download',
});

export const deleteExport = operation('datasets.exports.delete', {
  method: 'DELETE',
  path: '/exports/{id}',
  summary: 'Delete an export with its file; one that is being written is cancelled',
  access: may('space.query'),
  params: exportParams,
  response: z.null(),
  status: 204,
});
