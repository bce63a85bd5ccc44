import type { Task } from '@millrace/persistence/generated/client';
import { RowColumns } from './row-columns.js';

export const TASK_COLUMNS = new RowColumns<Task>({
  runId: 'bigint',
  segment: 'int',
  index: 'int',
  state: 'text',
  attempt: 'int',
  failures: 'int',
  losses: 'int',
  notBefore: 'timestamptz',
  dispatch: 'bigint',
});
