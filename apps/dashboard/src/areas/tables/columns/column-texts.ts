import type { Column } from '@millrace/client';

export const COLUMN_TYPES: readonly Column['type'][] = [
  'text',
  'bigint',
  'double',
  'boolean',
  'timestamp',
  'inet',
  'uuid',
  'json',
];

/** What the columns mean that Millrace maintains. */
export const MAINTAINED: Readonly<Record<string, string>> = {
  _row: 'Number of the row',
  _first_seen: 'When the row was added',
  _last_seen: 'When a run last contained the row',
  _run: 'The run that last contained the row',
  _subjob: 'The subjob that wrote its contents',
  _state: 'New, changed, unchanged or gone, as of the latest run',
};
