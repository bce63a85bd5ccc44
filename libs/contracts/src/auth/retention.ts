import { z } from 'zod';
import { requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { idOf } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

export const MAX_RETENTION_DAYS = 3_650;
export const MAX_RETENTION_RUNS = 100_000;

const days = z.number().int().min(1).max(MAX_RETENTION_DAYS).nullable();
const runs = z.number().int().min(1).max(MAX_RETENTION_RUNS).nullable();

const limits = z.strictObject({
  days: days.describe('Runs that ended more days ago are deleted; null sets no limit'),
  runs: runs.describe('Of each workflow, runs beyond the newest ones are deleted; null sets no limit'),
});

const policy = z
  .object({
    days: days.describe('Days after which a run is deleted, counted from its end; null if there is no limit'),
    runs: runs.describe('Number of runs of each workflow that are kept; null if there is no limit'),
    source: z
      .enum(['default', 'vault', 'space'])
      .describe(
        'Where these limits come from: nobody set any, so runs are kept for ever; the vault; or the space itself',
      ),
  })
  .meta({ id: 'RetentionPolicy' });

const KEPT =
  'Pinned runs, runs under way, and the newest run of each workflow with the status COMPLETED are always kept.';

export const getVaultRetention = operation('auth.retention.getVault', {
  method: 'GET',
  path: '/vault/retention',
  summary: 'Get how long runs of the vault are kept',
  description:
    'The limits apply to spaces without limits of their own. If none are set, runs are kept until a user deletes them.',
  access: requires('vault.administer'),
  response: policy,
});

export const setVaultRetention = operation('auth.retention.setVault', {
  method: 'PUT',
  path: '/vault/retention',
  summary: 'Set how long runs of the vault are kept',
  description: `Spaces with limits of their own keep those. ${KEPT}`,
  access: requires('vault.administer'),
  body: limits,
  response: policy,
});

export const getSpaceRetention = operation('auth.retention.getSpace', {
  method: 'GET',
  path: '/spaces/{id}/retention',
  summary: 'Get how long runs of a space are kept',
  description:
    'If the space has no limits of its own, the response has those of the vault. `source` says which limits apply.',
  access: requires('space.see'),
  params: idOf('space'),
  response: policy,
});

export const setSpaceRetention = operation('auth.retention.setSpace', {
  method: 'PUT',
  path: '/spaces/{id}/retention',
  summary: 'Set how long runs of a space are kept',
  description: `They replace the limits of the vault, also if both are null. ${KEPT}`,
  access: requires('space.administer'),
  params: idOf('space'),
  body: limits,
  response: policy,
});

export const unsetSpaceRetention = operation('auth.retention.unsetSpace', {
  method: 'DELETE',
  path: '/spaces/{id}/retention',
  summary: 'Keep runs of a space as long as the vault says',
  description:
    'Removes the limits of the space, so that those of the vault apply. The response has the limits that apply ' +
    'now. If the space has none of its own, nothing changes.',
  access: requires('space.administer'),
  params: idOf('space'),
  response: policy,
});

/** The limits of a vault or a space have changed. The runs service keeps a copy and deletes runs. */
export const retentionChanged = event('auth.retention.changed', {
  version: 1,
  consumers: ['runs'],
  payload: z.object({
    vault: z.uuid(),
    scope: z.uuid().describe('The vault or one of its spaces'),
    number: z.number().int().describe('Number of the change. The highest number applies'),
    limits: z.object({ days, runs }).nullable().describe('Null if the scope no longer has limits of its own'),
  }),
});
