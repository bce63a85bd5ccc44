import { z } from 'zod';
import { requires } from '../kit/access.js';
import { idOf, pathId } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

/** Tables and views that one user can follow. */
export const MAX_TABLE_FOLLOWS = 200;

const tableFollow = z
  .object({
    dataset: z.string(),
    view: z.string().optional(),
    following: z.boolean(),
    email: z.boolean(),
    in_app: z.boolean(),
  })
  .meta({ id: 'TableFollow' });

const channels = z.strictObject({
  email: z.boolean().default(true).describe('Whether you are notified by email'),
  in_app: z
    .boolean()
    .default(true)
    .describe('Whether you are notified in the app; if it is false, the notification is not stored'),
});

const access = requires('space.query');
const viewParams = z.strictObject({ solutionId: pathId('solution'), viewId: pathId('view') });
const DESCRIPTION =
  `You can follow ${MAX_TABLE_FOLLOWS} tables and views. ` +
  'Losing access to the table ends the subscription. `notification_type` of these notifications is ' +
  'MANUAL_RUN_COMPLETED, and `type` is TABLE_CHANGED.';

export const getTableFollow = operation('notifications.tableFollows.get', {
  method: 'GET',
  path: '/datasets/{id}/follow',
  summary: 'Check whether you follow a Live Table',
  description:
    'Says only whether you follow the table itself; views of it are followed separately. `email` and `in_app` ' +
    'are false if you do not.',
  access,
  params: idOf('Live Table'),
  response: tableFollow,
});

export const setTableFollow = operation('notifications.tableFollows.set', {
  method: 'PUT',
  path: '/datasets/{id}/follow',
  summary: 'Follow a Live Table',
  description: `You are notified when a load has changed the table. ${DESCRIPTION}`,
  access,
  params: idOf('Live Table'),
  body: channels,
  response: tableFollow,
});

export const unsetTableFollow = operation('notifications.tableFollows.unset', {
  method: 'DELETE',
  path: '/datasets/{id}/follow',
  summary: 'Stop following a Live Table',
  description: 'Views of the table that you follow stay followed. If you do not follow the table, nothing changes.',
  access,
  params: idOf('Live Table'),
  response: tableFollow,
});

export const getViewFollow = operation('notifications.viewFollows.get', {
  method: 'GET',
  path: '/solutions/{solutionId}/views/{viewId}/follow',
  summary: 'Check whether you follow a view',
  description:
    'Says only whether you follow this view; its table is followed separately. `email` and `in_app` are false if ' +
    'you do not.',
  access,
  params: viewParams,
  response: tableFollow,
});

export const setViewFollow = operation('notifications.viewFollows.set', {
  method: 'PUT',
  path: '/solutions/{solutionId}/views/{viewId}/follow',
  summary: 'Follow a view',
  description: `You are notified when rows that match the view are new or have changed. ${DESCRIPTION}`,
  access,
  params: viewParams,
  body: channels,
  response: tableFollow,
});

export const unsetViewFollow = operation('notifications.viewFollows.unset', {
  method: 'DELETE',
  path: '/solutions/{solutionId}/views/{viewId}/follow',
  summary: 'Stop following a view',
  description: 'Its table stays followed if you follow it. If you do not follow the view, nothing changes.',
  access,
  params: viewParams,
  response: tableFollow,
});
