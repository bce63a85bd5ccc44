import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { color, name, numericString, timestamp, icon, numericPathId, pathId, text } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { view } from './views.js';

/** A folder of views from any solution. It belongs to a space, or to the whole vault. */
export const queryFolder = z
  .object({
    id: numericString,
    vaultId: z.string(),
    workflowId: z.string().optional(),
    workspaceId: z.string().optional(),
    name: z.string(),
    color: z.string().optional(),
    icon: z.string().optional(),
    sortOrder: z.number().int(),
    queryCount: z.number().int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'QueryFolder' });

const folderParams = z.strictObject({ folderId: numericPathId('query folder') });
const folderViewParams = z.strictObject({ folderId: numericPathId('query folder'), viewId: pathId('view') });

const fields = {
  color: color.optional(),
  icon: icon.optional(),
  sortOrder: z
    .number()
    .int()
    .min(-2_147_483_648)
    .max(2_147_483_647)
    .optional()
    .describe('Position among other folders; folders with lower numbers come first'),
};

export const listQueryFolders = operation('datasets.queryFolders.list', {
  method: 'GET',
  path: '/query-metadata/folders',
  summary: 'List query folders of the vault and of spaces that you may query',
  description:
    '`queryCount` counts the views that you may query. Filter by space or workflow; an unknown one gives an ' +
    'empty list. `search` looks in names.',
  access: anyUser,
  query: listQuery(['name', 'sortOrder', 'createdAt', 'updatedAt'], {
    ordering: 'sortOrder,name',
    filters: {
      workspaceId: z.string().optional().describe('Return only folders of the space with this id'),
      workflowId: z.string().optional().describe('Return only folders of the workflow with this id'),
    },
  }),
  response: pageOf(queryFolder),
  list: 'nullable-links',
});

export const createQueryFolder = operation('datasets.queryFolders.create', {
  method: 'POST',
  path: '/query-metadata/folders',
  summary: 'Create a query folder',
  description: 'A folder in a space requires permission to edit the space.',
  access: anyUser,
  additionalPermissions: { 'in a space': 'space.edit' },
  body: z.strictObject({
    name,
    workspaceId: text(255, 1).optional().describe('Id of the space; without it the folder is one of the whole vault'),
    workflowId: text(255, 1).optional().describe('Id of a workflow that the folder belongs to'),
    ...fields,
  }),
  response: queryFolder,
  status: 201,
  errors: ['not_found'],
});

export const getQueryFolder = operation('datasets.queryFolders.get', {
  method: 'GET',
  path: '/query-metadata/folders/{folderId}',
  summary: 'Get a query folder',
  description:
    '`queryCount` counts the views in it that you may query. The views are in `GET ' +
    '/query-metadata/folders/{folderId}/queries`.',
  access: anyUser,
  additionalPermissions: { 'for a folder of a space': 'space.query' },
  params: folderParams,
  response: queryFolder,
});

const editPermissions = {
  'for a folder of a space': 'space.edit',
  "for another user's folder of the vault": 'vault.organize',
} as const;

export const updateQueryFolder = operation('datasets.queryFolders.update', {
  method: 'PATCH',
  path: '/query-metadata/folders/{folderId}',
  summary: 'Update a query folder',
  description:
    'A folder of a space requires permission to edit the space. A folder of the vault may be changed by its ' +
    'author, space admins and owners.',
  access: anyUser,
  additionalPermissions: editPermissions,
  params: folderParams,
  body: z.strictObject({ name: name.optional(), ...fields }),
  response: queryFolder,
});

export const deleteQueryFolder = operation('datasets.queryFolders.delete', {
  method: 'DELETE',
  path: '/query-metadata/folders/{folderId}',
  summary: 'Delete a query folder',
  description: 'Its views remain.',
  access: anyUser,
  additionalPermissions: editPermissions,
  params: folderParams,
  response: z.null(),
  status: 204,
});

export const listFolderQueries = operation('datasets.queryFolders.queries', {
  method: 'GET',
  path: '/query-metadata/folders/{folderId}/queries',
  summary: 'List views in a folder that you may query',
  description: 'Views of solutions that you may not query are left out. `search` looks in names and descriptions.',
  access: anyUser,
  additionalPermissions: { 'for a folder of a space': 'space.query' },
  params: folderParams,
  query: listQuery(['name', 'created_date', 'modified_date'], { ordering: 'name', filters: {} }),
  response: pageOf(view),
  list: 'nullable-links',
});

export const addFolderQuery = operation('datasets.queryFolders.add', {
  method: 'PUT',
  path: '/query-metadata/folders/{folderId}/queries/{viewId}',
  summary: 'Add a view to a folder',
  description:
    'A view may be in several folders; adding it again changes nothing. You must be able to query the view. A ' +
    'folder of the vault may be changed by its author, space admins and owners.',
  access: anyUser,
  additionalPermissions: editPermissions,
  params: folderViewParams,
  response: queryFolder,
});

export const removeFolderQuery = operation('datasets.queryFolders.remove', {
  method: 'DELETE',
  path: '/query-metadata/folders/{folderId}/queries/{viewId}',
  summary: 'Remove a view from a folder',
  description: 'The view itself remains. A view that is not in the folder is 404.',
  access: anyUser,
  additionalPermissions: editPermissions,
  params: folderViewParams,
  response: z.null(),
  status: 204,
});
