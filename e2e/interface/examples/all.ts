import type { DocumentedOperation } from '../table/all.js';
import type { Example } from '../world.js';
import { ACCOUNT_EXAMPLES } from './accounts.js';
import { BILLING_EXAMPLES } from './billing.js';
import { LIBRARY_EXAMPLES } from './library.js';
import { LIVE_TABLE_EXAMPLES } from './live-tables.js';
import { NOTIFICATION_EXAMPLES } from './notifications.js';
import { REPORTING_EXAMPLES } from './reporting.js';
import { SANDBOX_EXAMPLES } from './sandbox.js';
import { SPACE_EXAMPLES } from './spaces.js';
import { WORKFLOW_EXAMPLES } from './workflows.js';

/** A request to each operation of the document that succeeds. */
export const EXAMPLES: Record<DocumentedOperation, Example> = {
  ...ACCOUNT_EXAMPLES,
  ...SPACE_EXAMPLES,
  ...WORKFLOW_EXAMPLES,
  ...LIVE_TABLE_EXAMPLES,
  ...REPORTING_EXAMPLES,
  ...LIBRARY_EXAMPLES,
  ...NOTIFICATION_EXAMPLES,
  ...BILLING_EXAMPLES,
  ...SANDBOX_EXAMPLES,
};
