import type { AdminVault, AdminVaultsListQuery, MillraceClient } from '@millrace/client';
import type { CliContext } from '../../cli-context.js';
import { CliError, notFound } from '../../cli-error.js';
import { formatBytes } from '../../format-bytes.js';
import { pickDefined } from '../../pick-defined.js';
import { type Fields, formatTime, printDone, printList, printRecord } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';
import { parseCount } from '../parse-number.js';
import { parseLimit } from './parse-limit.js';

const COLUMNS: Fields<AdminVault> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  OWNERS: ({ owners }) => owners,
  PLAN: ({ plan }) => plan,
  STATE: ({ state }) => state,
  MEMBERS: ({ members }) => members,
  RUNS: ({ usage }) => usage.active_runs,
  STORED: ({ usage }) => (usage.stored_bytes === undefined ? '' : formatBytes(usage.stored_bytes)),
  ROWS: ({ usage }) => usage.live_rows,
  UNITS: ({ usage }) => usage.execution_units,
};
const FIELDS: Fields<AdminVault> = {
  ...COLUMNS,
  SUSPENDED: (vault) => formatTime(vault.suspended_date),
  REASON: (vault) => vault.suspended_reason,
  'STOPS RUNS': (vault) => vault.stops_runs,
  'MAX RUNS': ({ limits }) => limits.active_runs,
  'MAX DISPATCHES': ({ limits }) => limits.dispatches,
  'MAX STORAGE': ({ limits }) => (limits.storage_bytes === null ? null : formatBytes(limits.storage_bytes)),
  'MAX ROWS': ({ limits }) => limits.live_rows,
  CREATED: (vault) => formatTime(vault.created_date),
};

interface Options {
  json?: boolean;
  search?: string;
  state?: string;
  number?: number;
  reason?: string;
  stopRuns?: boolean;
  maxRuns?: number | null;
  maxDispatches?: number | null;
  maxStorage?: number | null;
  maxRows?: number | null;
}

export function addVaults(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(admin.parent, context, 'vaults', 'show, suspend and limit vaults');
  group
    .add('list', 'list vaults with their usage, newest first', ['admin vaults list --state suspended'])
    .option('--search <text>', 'only those whose name contains this text')
    .option('--state <state>', 'active or suspended')
    .option('-n, --number <n>', 'number of vaults', parseCount, 50)
    .action(async ({ json, search, state, number = 50 }: Options) => {
      const client = await group.connect();
      const query = pickDefined({ search, state: state as AdminVaultsListQuery['state'] });
      const vaults = await client.adminVaults.list({ ...query, page_size: Math.min(number, 1000) }).toArray(number);
      await printList(vaults, COLUMNS, { json, empty: 'No vaults.' });
    });
  group
    .add('get', 'show a vault with its usage and limits', ['admin vaults get owner@example.org'])
    .argument('<vault>', 'id of the vault, or email of a member')
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      await printRecord(await client.adminVaults.get(await findVault(client, name)), FIELDS, { json });
    });
  group
    .add('suspend', 'let a vault start nothing', [
      'admin vaults suspend owner@example.org --reason "Mining" --stop-runs',
    ])
    .argument('<vault>', 'id of the vault, or email of a member')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--stop-runs', 'also stop runs and sandboxes that are under way')
    .action(async (name: string, { json, reason = '', stopRuns = false }: Options) => {
      const client = await group.connect();
      const vault = await client.adminVaults.suspend(await findVault(client, name), { reason, stop_runs: stopRuns });
      await printDone(`Vault "${vault.name}" is suspended.`, vault, { json });
    });
  group
    .add('resume', 'let a suspended vault start runs again', ['admin vaults resume owner@example.org'])
    .argument('<vault>', 'id of the vault, or email of a member')
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const vault = await client.adminVaults.resume(await findVault(client, name));
      await printDone(`Vault "${vault.name}" is active.`, vault, { json });
    });
  group
    .add('limits', 'set limits of a vault, and keep the others', [
      'admin vaults limits owner@example.org --max-runs 50 --max-storage none',
    ])
    .argument('<vault>', 'id of the vault, or email of a member')
    .option('--max-runs <n>', 'runs that have not ended; "none" for the plan or the setting', parseLimit)
    .option('--max-dispatches <n>', 'subjobs that run at once; "none" for the plan or the setting', parseLimit)
    .option('--max-storage <bytes>', 'bytes of files, outputs and logs; "none" for the setting', parseLimit)
    .option('--max-rows <n>', 'rows of all Live Tables; "none" for the setting', parseLimit)
    .action(async (name: string, { json, ...options }: Options) => {
      const client = await group.connect();
      const id = await findVault(client, name);
      const { limits } = await client.adminVaults.get(id);
      const changes = pickDefined({
        ...{ active_runs: options.maxRuns, dispatches: options.maxDispatches },
        ...{ storage_bytes: options.maxStorage, live_rows: options.maxRows },
      });
      if (Object.keys(changes).length === 0) throw new CliError('Use at least one of the options of limits.');
      const vault = await client.adminVaults.setLimits(id, { ...limits, ...changes });
      await printRecord(vault, FIELDS, { json });
    });
}

/** The id of a vault. Names of vaults are not unique, so it is named by a member's email, or by its id. */
async function findVault(client: MillraceClient, name: string): Promise<string> {
  if (!name.includes('@')) return name;
  const email = name.toLowerCase();
  for await (const user of client.adminUsers.list({ search: email })) if (user.email === email) return user.vault.id;
  throw notFound(`No user has the email ${email}.`);
}
