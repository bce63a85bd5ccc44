import { isDeepStrictEqual } from 'node:util';
import type { Webhook } from '@millrace/persistence/generated/client';

/** Fields of the contract by column. */
const FIELDS = {
  ...{ name: 'name', url: 'url', events: 'events', enabled: 'enabled' },
  ...{ workflowId: 'workflow', spaceId: 'space' },
} as const;

/** The names of the changed fields. A URL counts as changed if it was encrypted again. */
export const changedFields = (before: Webhook, after: Webhook): string[] =>
  (Object.keys(FIELDS) as (keyof typeof FIELDS)[])
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => FIELDS[field]);
