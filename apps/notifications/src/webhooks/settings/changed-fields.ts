import { isDeepStrictEqual } from 'node:util';
import type { Webhook } from '@millrace/persistence/generated/client';

/** Fields of the contract by where they are kept. */
const FIELDS = {
  ...{ name: 'name', url: 'url', events: 'events', enabled: 'enabled' },
  ...{ workflowId: 'workflow', spaceId: 'space' },
} as const;

/** Which fields differ. A URL that was given anew is sealed anew. */
export const changedFields = (before: Webhook, after: Webhook): string[] =>
  (Object.keys(FIELDS) as (keyof typeof FIELDS)[])
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => FIELDS[field]);
