import { healthChecks } from './kit/health.js';
import { authContracts } from './registry/auth.js';
import { billingContracts } from './registry/billing.js';
import { collect } from './registry/collect.js';
import { datasetsContracts } from './registry/datasets.js';
import { notificationsContracts } from './registry/notifications.js';
import { runsContracts } from './registry/runs.js';
import { workflowsContracts } from './registry/workflows.js';

/**
 * All contracts. A service that needs its own ones only imports `registry/<service>`: the schemas of all take 10 MB, and half a
 * second of its start.
 */
const all = [
  authContracts,
  workflowsContracts,
  runsContracts,
  datasetsContracts,
  billingContracts,
  notificationsContracts,
  collect([healthChecks]),
];

export const operations = all.flatMap((contracts) => contracts.operations);
export const restOperations = operations.filter((operation) => operation.access.kind !== 'internal');
export const events = all.flatMap((contracts) => contracts.events);
export const jobs = all.flatMap((contracts) => contracts.jobs);
export const signals = all.flatMap((contracts) => contracts.signals);
