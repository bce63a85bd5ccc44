import type { Command } from 'commander';
import type { AuditEntry, AuditListQuery } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, printList } from '../print-records.js';
import { CommandGroup } from './command-group.js';
import { parseCount } from './parse-number.js';
import { parseTime } from './parse-time.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['audit.list'];

const COLUMNS: Fields<AuditEntry> = {
  TIME: (entry) => formatTime(entry.created_date),
  ACTION: ({ action }) => action,
  ACTOR: ({ actor }) => actor?.email,
  TARGET: (entry) => [entry.target_type, entry.target_name ?? entry.target_id].filter(Boolean).join(' '),
  ADDRESS: ({ address }) => address,
  DETAILS: ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details)),
};

interface Options {
  json?: boolean;
  jsonl?: boolean;
  number?: number;
  all?: boolean;
  action?: string;
  actor?: string;
  search?: string;
  from?: string;
  to?: string;
}

/** Commands about the audit log. */
export function addAudit(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'audit', 'read the audit log of the vault');
  group
    .add('list', 'list entries of the audit log, newest first', [
      'audit list --action secret_variable.changed',
      'audit list --from 2026-11-01 --all --jsonl > audit.jsonl',
    ])
    .option('--action <action>', 'only entries with this action, such as run.stopped')
    .option('--actor <id>', 'only entries of the user with this id')
    .option('--search <text>', 'only entries that contain this text')
    .option('--from <time>', 'only entries since this date or time', parseTime)
    .option('--to <time>', 'only entries before this date or time', parseTime)
    .option('-n, --number <n>', 'number of entries', parseCount, 50)
    .option('--all', 'all entries')
    .option('--jsonl', 'print JSON, one entry per line')
    .action(async ({ json, jsonl, number, all, action, ...filters }: Options) => {
      const client = await group.connect();
      const query = pickDefined({ ...filters, action: action as AuditListQuery['action'] });
      const entries = client.audit.list(all ? query : { ...query, page_size: Math.min(number ?? 50, 1000) });
      const found = all ? entries : await entries.toArray(number);
      await printList(found, COLUMNS, { json, jsonl, empty: 'No entries.' });
    });
}
