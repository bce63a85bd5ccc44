import type { Row } from '../row.js';
import { ACCOUNTS } from './accounts.js';
import { BILLING } from './billing.js';
import { LIBRARY } from './library.js';
import { LIVE_TABLES } from './live-tables.js';
import { NOTIFICATIONS } from './notifications.js';
import { REPORTING } from './reporting.js';
import { SANDBOX } from './sandbox.js';
import { SPACES } from './spaces.js';
import { WORKFLOWS } from './workflows.js';

const ALL = {
  ...ACCOUNTS,
  ...SPACES,
  ...WORKFLOWS,
  ...LIVE_TABLES,
  ...REPORTING,
  ...LIBRARY,
  ...NOTIFICATIONS,
  ...BILLING,
  ...SANDBOX,
};

/** An operation of the interface document, as its method and path. */
export type DocumentedOperation = keyof typeof ALL;

/**
 * Every operation of the interface document with its description, copied from the document by hand. The tests compare the
 * contracts in code with this table, so it must not be generated from them.
 */
export const INTERFACE: Record<DocumentedOperation, Row> = ALL;
