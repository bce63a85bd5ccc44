import { AUTH_EXAMPLES } from './auth.recorded.js';
import { BILLING_EXAMPLES } from './billing.recorded.js';
import { DATASETS_EXAMPLES } from './datasets.recorded.js';
import { NOTIFICATIONS_EXAMPLES } from './notifications.recorded.js';
import type { OperationExamples } from './operation-example.js';
import { RUNS_EXAMPLES } from './runs.recorded.js';
import { WORKFLOWS_EXAMPLES } from './workflows.recorded.js';
import { WRITTEN_EXAMPLES } from './written-examples.js';

/** The example of every REST operation. `npm run docs:examples` records all of them except the written ones. */
export const EXAMPLES: OperationExamples = {
  ...AUTH_EXAMPLES,
  ...BILLING_EXAMPLES,
  ...DATASETS_EXAMPLES,
  ...NOTIFICATIONS_EXAMPLES,
  ...RUNS_EXAMPLES,
  ...WORKFLOWS_EXAMPLES,
  ...WRITTEN_EXAMPLES,
};
