import type { AdminAuditEntry, AdminAuditListQuery } from '@millrace/client';
import { pickDefined } from '../../pick-defined.js';
import { type Fields, formatTime, printList } from '../../print-records.js';
import type { CommandGroup } from '../command-group.js';
import { parseCount } from '../parse-number.js';
import { parseTime } from '../parse-time.js';

const COLUMNS: Fields<AdminAuditEntry> = {
  TIME: (entry) => formatTime(entry.created_date),
  ACTION: ({ action }) => action,
  ACTOR: ({ actor }) => actor?.email ?? 'a command',
  CREDENTIAL: ({ credential }) => credential,
  TARGET: (entry) => [entry.target_type, entry.target_name ?? entry.target_id].filter(Boolean).join(' '),
  ADDRESS: ({ address }) => address,
  DETAILS: ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details)),
};

interface Options {
  json?: boolean;
  jsonl?: boolean;
  number?: number;
  action?: string;
  search?: string;
  from?: string;
  to?: string;
}

export function addAdminAudit(group: CommandGroup): void {
  group
    .add('audit', 'list what administrators did, newest first', [
      'admin audit --action user.suspended',
      'admin audit --from 2026-11-01 --jsonl',
    ])
    .option('--action <action>', 'only entries with this action, such as vault.suspended')
    .option('--search <text>', 'only entries that contain this text')
    .option('--from <time>', 'only entries since this date or time', parseTime)
    .option('--to <time>', 'only entries before this date or time', parseTime)
    .option('-n, --number <n>', 'number of entries', parseCount, 50)
    .option('--jsonl', 'print JSON, one entry per line')
    .action(async ({ json, jsonl, number = 50, action, ...filters }: Options) => {
      const client = await group.connect();
      const query = pickDefined({ ...filters, action: action as AdminAuditListQuery['action'] });
      const entries = client.adminAudit.list({ ...query, page_size: Math.min(number, 1000) });
      await printList(await entries.toArray(number), COLUMNS, { json, jsonl, empty: 'No entries.' });
    });
}
