import { z } from 'zod';
import { anyUser, onlyServices } from '../kit/access.js';
import { text, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';

/** A relative path of at most 1,024 characters. The services check its parts (libs/storage `normalizePath`). */
export const storagePath = text(1024, 1).describe('Path from the top of the storage, such as `lists/hosts.txt`');

export const folder = z
  .object({
    id: z.string(),
    path: z.string(),
    name: z.string(),
    parent: z.string().optional().describe('Path of the parent folder; absent at the top level'),
    description: z.string().optional(),
    created_date: timestamp,
  })
  .meta({ id: 'Folder' });

export const file = z
  .object({
    id: z.string(),
    path: z.string(),
    name: z.string(),
    folder: z.string().optional().describe('Path of the folder; absent at the top level'),
    size: z.number().int(),
    sha256: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'File' });

/** The content of a file: the object with this hash. */
export const storedContent = z.object({ name: z.string(), sha256: z.string(), size: z.number().int() });

/**
 * The current content of a folder: all files below it, with paths relative to the folder, sorted by their bytes. No
 * path is both a file and a folder.
 */
export const storedFolder = z.object({
  folder: z.array(z.object({ path: z.string(), sha256: z.string(), size: z.number().int() })),
});

/** Maximum total number of files in the folders of one request, and of bytes in their paths: the size of a message. */
export const MAX_FOLDER_FILES = 10_000;
export const MAX_FOLDER_PATH_BYTES = 8 * 1024 * 1024;

export const createFolder = operation('workflows.folders.create', {
  method: 'POST',
  path: '/storage/folders',
  summary: 'Create a folder and any missing parent folders',
  description:
    'If the folder exists, only its description changes. A path that leads through a file is 400. Folders belong ' +
    'to the vault: every member may use them.',
  access: anyUser,
  body: z.strictObject({
    vaultId: z.string().optional().describe('Id of your vault; any other is 404'),
    path: storagePath,
    description: text(2000).optional().describe('Description of the folder, at most 2,000 characters'),
  }),
  response: z.object({ success: z.boolean(), folder }),
  errors: ['not_found'],
});

export const listFolders = operation('workflows.folders.list', {
  method: 'GET',
  path: '/storage/folders',
  summary: 'List folders directly below `path`',
  description:
    'Subfolders of subfolders are not listed, and files are in `GET /storage/files`. An unknown folder is 404. ' +
    '`search` looks in names and descriptions.',
  access: anyUser,
  query: listQuery(['path', 'created_date'], {
    ordering: 'path',
    filters: { path: text(1024).default('').describe('Path of the folder; empty for the top') },
  }),
  response: pageOf(folder),
  errors: ['not_found'],
  list: 'nullable-links',
});

export const deleteFolder = operation('workflows.folders.delete', {
  method: 'DELETE',
  path: '/storage/folders',
  summary: 'Delete a folder with its content',
  description:
    'Deletes all folders and files below it, which cannot be restored. Runs that have started keep the content ' +
    'of their inputs. An unknown folder is 404.',
  access: anyUser,
  query: z.strictObject({ path: storagePath }),
  response: z.null(),
  status: 204,
  errors: ['not_found'],
});

export const uploadFile = operation('workflows.files.upload', {
  method: 'POST',
  path: '/storage/files',
  summary: 'Upload a file',
  description: 'Send multipart data: `path` first, then `file`. A file at the same path is replaced atomically.',
  access: anyUser,
  body: z.strictObject({
    path: storagePath,
    size: z.number().int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  response: file,
  status: 201,
  errors: ['payload_too_large'],
  transfer: 'upload',
});

export const listFiles = operation('workflows.files.list', {
  method: 'GET',
  path: '/storage/files',
  summary: 'List files',
  description:
    'With `path`, only the file at that path or the files below that folder. With `folder`, only the files directly in ' +
    'that folder.',
  access: anyUser,
  query: listQuery(['path', 'size', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: {
      path: text(1024).optional().describe('Path of a file, or of a folder with everything below it'),
      folder: text(1024)
        .optional()
        .describe('Path of a folder, without the files of its subfolders; empty for the top level'),
    },
  }),
  response: pageOf(file),
  list: 'nullable-links',
});

export const getFile = operation('workflows.files.get', {
  method: 'GET',
  path: '/storage/files/{id}',
  summary: 'Get a file',
  description:
    'Contains its path, its size in bytes and its SHA-256. The content is in `GET /storage/files/{id}/download`.',
  access: anyUser,
  params: idOf('file'),
  response: file,
});

export const downloadFile = operation('workflows.files.download', {
  method: 'GET',
  path: '/storage/files/{id}/download',
  summary: 'Download a file',
  description: 'Supports range requests.',
  access: anyUser,
  params: idOf('file'),
  response: storedContent,
  transfer: 'download',
});

export const deleteFile = operation('workflows.files.delete', {
  method: 'DELETE',
  path: '/storage/files/{id}',
  summary: 'Delete a file',
  description: 'Its folder remains. Runs that have started keep the content of their inputs.',
  access: anyUser,
  params: idOf('file'),
  response: z.null(),
  status: 204,
});

export const getStorageUsage = operation('workflows.files.usage', {
  method: 'GET',
  path: '/storage/usage',
  summary: 'Get the storage usage and quota of the vault',
  description:
    'Sizes are in bytes. Files of the storage and the outputs and logs of runs count together; uploads that ' +
    'would exceed the quota are 413.',
  access: anyUser,
  response: z.object({
    files: z.number().int(),
    used_bytes: z.number().int().describe('Bytes of the files, and of the outputs and logs of runs'),
    run_bytes: z.number().int().describe('Bytes of the outputs and logs of runs'),
    quota_bytes: z.number().int().nullable().describe('Null if there is no limit'),
  }),
});

/** Called before an upload is accepted, so that an invalid path or size is rejected before gigabytes arrive. */
export const admitUpload = internalOperation('workflows.files.admit', {
  summary: 'Check whether a file may be stored at a path, and its maximum size',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({ path: storagePath }),
  response: z.object({
    most: z.number().int().nullable().describe('Maximum size of the file in bytes; null if there is no limit'),
    used_bytes: z.number().int(),
    quota_bytes: z.number().int().nullable(),
  }),
});
