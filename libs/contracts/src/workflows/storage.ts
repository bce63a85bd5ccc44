import { z } from 'zod';
import { anyUser, onlyServices } from '../kit/access.js';
import { idParams, text, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { internalOperation, operation } from '../kit/operation.js';

/** Relative, at most 1,024 characters; its parts are checked where it is used (libs/storage `normalizePath`). */
export const storagePath = text(1024, 1);

export const folder = z
  .object({
    id: z.string(),
    path: z.string(),
    name: z.string(),
    parent: z.string().optional().describe('Path of the folder above; absent at the top'),
    description: z.string().optional(),
    created_date: timestamp,
  })
  .meta({ id: 'Folder' });

export const file = z
  .object({
    id: z.string(),
    path: z.string(),
    name: z.string(),
    folder: z.string().optional().describe('Path of the folder; absent at the top'),
    size: z.number().int(),
    sha256: z.string(),
    created_date: timestamp,
    modified_date: timestamp,
  })
  .meta({ id: 'File' });

/** Where the bytes of a file are: the object with this hash. */
export const storedContent = z.object({ name: z.string(), sha256: z.string(), size: z.number().int() });

/**
 * A folder as it is when it is asked for: all files in it and below it, their paths from the folder on, in the order of
 * their bytes. None is a file where another has a folder.
 */
export const storedFolder = z.object({
  folder: z.array(z.object({ path: z.string(), sha256: z.string(), size: z.number().int() })),
});

/** Files that all folders of one question may hold together, and bytes that their paths may take: what fits a message. */
export const MAX_FOLDER_FILES = 10_000;
export const MAX_FOLDER_PATH_BYTES = 8 * 1024 * 1024;

export const createFolder = operation('workflows.folders.create', {
  method: 'POST',
  path: '/storage/folders',
  summary: 'Create a folder and any missing ones above it',
  access: anyUser,
  body: z.strictObject({
    vaultId: z.string().optional(),
    path: storagePath,
    description: text(2000).optional(),
  }),
  response: z.object({ success: z.boolean(), folder }),
  errors: ['not_found'],
});

export const listFolders = operation('workflows.folders.list', {
  method: 'GET',
  path: '/storage/folders',
  summary: 'Folders directly below `path`',
  access: anyUser,
  query: listQuery(['path', 'created_date'], { ordering: 'path', filters: { path: text(1024).default('') } }),
  response: pageOf(folder),
  errors: ['not_found'],
  list: 'nullable-links',
});

export const deleteFolder = operation('workflows.folders.delete', {
  method: 'DELETE',
  path: '/storage/folders',
  summary: 'Delete a folder and all that is in it',
  access: anyUser,
  query: z.strictObject({ path: storagePath }),
  response: z.null(),
  status: 204,
  errors: ['not_found'],
});

export const uploadFile = operation('workflows.files.upload', {
  method: 'POST',
  path: '/storage/files',
  summary: 'Upload a file (multipart: `path`, then `file`); the same path is replaced at once',
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
  summary: 'Files; with `path` those in or below that folder, or at that path',
  access: anyUser,
  query: listQuery(['path', 'size', 'created_date', 'modified_date'], {
    ordering: '-modified_date',
    filters: { path: text(1024).optional() },
  }),
  response: pageOf(file),
  list: 'nullable-links',
});

export const getFile = operation('workflows.files.get', {
  method: 'GET',
  path: '/storage/files/{id}',
  summary: 'One file',
  access: anyUser,
  params: idParams,
  response: file,
});

export const downloadFile = operation('workflows.files.download', {
  method: 'GET',
  path: '/storage/files/{id}/download',
  summary: 'Contents of a file; answers range requests',
  access: anyUser,
  params: idParams,
  response: storedContent,
  transfer: 'download',
});

export const deleteFile = operation('workflows.files.delete', {
  method: 'DELETE',
  path: '/storage/files/{id}',
  summary: 'Delete a file',
  access: anyUser,
  params: idParams,
  response: z.null(),
  status: 204,
});

export const getStorageUsage = operation('workflows.files.usage', {
  method: 'GET',
  path: '/storage/usage',
  summary: 'How much the files of the vault take, and how much they may',
  access: anyUser,
  response: z.object({
    files: z.number().int(),
    used_bytes: z.number().int(),
    quota_bytes: z.number().int().nullable().describe('Null is no limit'),
  }),
});

/** Asked before an upload is taken in, so that a path or a size that cannot be is refused before gigabytes have come. */
export const admitUpload = internalOperation('workflows.files.admit', {
  summary: 'Whether a file may be put at a path, and how large it may be',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({ path: storagePath }),
  response: z.object({
    most: z.number().int().nullable().describe('Bytes that the file may have; null is no limit'),
    used_bytes: z.number().int(),
    quota_bytes: z.number().int().nullable(),
  }),
});
