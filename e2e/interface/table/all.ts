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
export type Documented = keyof typeof ALL;

/**
 * Every operation of the interface document and what it says of each, copied from it by hand: the contract in code is held
 * against it, and it is not made from that.
 */
export const INTERFACE: Record<Documented, Row> = ALL;
