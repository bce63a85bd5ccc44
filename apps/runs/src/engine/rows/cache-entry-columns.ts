import type { CacheEntry } from '@millrace/persistence/generated/client';
import { RowColumns } from './row-columns.js';

export const CACHE_ENTRY_COLUMNS = new RowColumns<CacheEntry>({
  spaceId: 'uuid',
  key: 'text',
  runId: 'bigint',
  subjobId: 'bigint',
  exitCode: 'int',
  message: 'text',
  outputs: 'jsonb',
  stdout: 'jsonb',
  stderr: 'jsonb',
  createdAt: 'timestamptz',
  lastUsedAt: 'timestamptz',
});
