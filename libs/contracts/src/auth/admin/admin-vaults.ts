import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { event } from '../../kit/event.js';
import { idOf, timestamp } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';
import { reason } from './admin-users.js';

const limit = (max: number) => z.number().int().min(0).max(max).nullable();
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** Limits of one vault. Null means that the plan or the setting of the installation applies. */
export const vaultLimits = z
  .object({
    active_runs: limit(1_000_000).describe('Runs that have not ended; null: the plan or `VAULT_MAX_ACTIVE_RUNS`'),
    dispatches: limit(1_000_000).describe('Subjobs that run at once; null: the plan or `VAULT_MAX_DISPATCHES`'),
    storage_bytes: limit(MAX_BYTES).describe('Bytes of files, outputs and logs; null: `STORAGE_QUOTA`'),
    live_rows: limit(MAX_BYTES).describe('Rows of all Live Tables; null: `LIVE_ROWS_LIMIT`'),
  })
  .meta({ id: 'AdminVaultLimits' });

const usage = z
  .object({
    active_runs: z.number().int().optional(),
    stored_bytes: z.number().int().optional().describe('Bytes of files, outputs and logs'),
    live_rows: z.number().int().optional(),
    execution_units: z.number().optional().describe('Of the current month (UTC)'),
  })
  .meta({ id: 'AdminVaultUsage' });

export const adminVault = z
  .object({
    id: z.string(),
    name: z.string(),
    plan: z.string(),
    state: z.enum(['active', 'suspended']),
    suspended_date: timestamp.optional(),
    suspended_reason: z.string().optional(),
    stops_runs: z.boolean().optional().describe('Whether the suspension also stops runs that are under way'),
    members: z.number().int().describe('Number of users'),
    owners: z.array(z.string()).describe('Emails of up to 5 owners'),
    limits: vaultLimits,
    usage: usage.describe('What the vault uses now. A number is absent if its service does not respond'),
    created_date: timestamp,
  })
  .meta({ id: 'AdminVault' });

export const listAdminVaults = operation('auth.adminVaults.list', {
  method: 'GET',
  path: '/admin/vaults',
  summary: 'List all vaults with their usage',
  description: '`search` looks in names.',
  access: instanceAdmin,
  query: listQuery(['created_date', 'name'], {
    ordering: '-created_date',
    filters: { state: z.enum(['active', 'suspended']).optional().describe('Return only vaults in this state') },
  }),
  response: pageOf(adminVault),
  list: 'nullable-links',
});

export const getAdminVault = operation('auth.adminVaults.get', {
  method: 'GET',
  path: '/admin/vaults/{id}',
  summary: 'Get a vault with its usage and limits',
  description: 'Shows numbers only, and nothing that the vault contains.',
  access: instanceAdmin,
  params: idOf('vault'),
  response: adminVault,
});

export const suspendVault = operation('auth.adminVaults.suspend', {
  method: 'POST',
  path: '/admin/vaults/{id}/suspend',
  summary: 'Suspend a vault',
  description:
    'The vault starts no runs, retries and sandboxes, its schedules skip their times, and its hooks are refused. Its users can ' +
    'still sign in, read, edit and export everything. Runs that are under way continue unless `stop_runs` is true. ' +
    'Suspending it again replaces the reason and `stop_runs`. It takes effect within seconds.',
  access: instanceAdmin,
  params: idOf('vault'),
  body: z.strictObject({
    reason,
    stop_runs: z.boolean().default(false).describe('Also stop runs and sandboxes that are under way'),
  }),
  response: adminVault,
});

export const resumeVault = operation('auth.adminVaults.resume', {
  method: 'POST',
  path: '/admin/vaults/{id}/resume',
  summary: 'Let a suspended vault start runs again',
  description: 'Skipped times of schedules are not made up for. If the vault is not suspended, nothing changes.',
  access: instanceAdmin,
  params: idOf('vault'),
  response: adminVault,
});

export const setVaultLimits = operation('auth.adminVaults.setLimits', {
  method: 'PUT',
  path: '/admin/vaults/{id}/limits',
  summary: "Replace a vault's limits",
  description:
    'These limits take precedence over the plan and over the settings of the installation. A lower limit removes nothing: it ' +
    'only refuses more. It takes effect within seconds.',
  access: instanceAdmin,
  params: idOf('vault'),
  body: z.strictObject(vaultLimits.shape),
  response: adminVault,
});

/** What administrators decided about a vault: its suspension and its limits, all of it each time. */
export const vaultAdministered = event('auth.vault.administered', {
  version: 1,
  consumers: ['workflows', 'runs', 'datasets'],
  payload: z.object({
    vault: z.uuid(),
    /** The highest number is current, because events may arrive in any order. */
    number: z.number().int().describe('Counts the decisions about this vault from 1'),
    suspended: z.boolean(),
    stopRuns: z.boolean(),
    activeRuns: limit(1_000_000),
    dispatches: limit(1_000_000),
    storageBytes: limit(MAX_BYTES),
    liveRows: limit(MAX_BYTES),
  }),
});
