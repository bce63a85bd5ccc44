import * as adminAudit from './auth/admin/admin-audit.js';
import * as adminTasks from './auth/admin/admin-tasks.js';
import * as adminTokens from './auth/admin/admin-tokens.js';
import * as adminUsers from './auth/admin/admin-users.js';
import * as adminVaults from './auth/admin/admin-vaults.js';
import * as admins from './auth/admin/admins.js';
import * as deadLetters from './auth/admin/dead-letters.js';
import * as joinTokens from './auth/admin/join-tokens.js';
import * as joinedWorkers from './auth/admin/joined-workers.js';
import * as logLevel from './auth/admin/log-level.js';
import { measureVaults } from './auth/admin/vault-usage.js';
import * as auditLog from './auth/audit-log.js';
import * as callers from './auth/callers.js';
import * as contacts from './auth/contacts.js';
import * as devices from './auth/devices.js';
import * as google from './auth/google.js';
import * as invitations from './auth/invitations.js';
import * as join from './auth/join.js';
import * as members from './auth/members.js';
import * as mfa from './auth/mfa.js';
import * as passwords from './auth/passwords.js';
import * as retention from './auth/retention.js';
import * as roles from './auth/roles.js';
import * as sessions from './auth/sessions.js';
import * as signInMethods from './auth/sign-in-methods.js';
import * as signingKeys from './auth/signing-keys.js';
import * as teams from './auth/teams.js';
import * as users from './auth/users.js';
import * as vaults from './auth/vaults.js';
import * as budget from './billing/budget.js';
import * as billingCustomer from './billing/customer.js';
import * as billingEvents from './billing/events.js';
import * as ledger from './billing/ledger.js';
import * as paymentMethods from './billing/payment-methods.js';
import * as plans from './billing/plans.js';
import * as usage from './billing/usage.js';
import * as columns from './datasets/columns.js';
import * as datasets from './datasets/datasets.js';
import * as detectedTables from './datasets/detected-tables.js';
import * as exportRequests from './datasets/exports.js';
import * as datasetJobs from './datasets/jobs.js';
import * as loads from './datasets/loads.js';
import * as queryFolders from './datasets/query-folders.js';
import * as reportingNodes from './datasets/reporting-nodes.js';
import * as rows from './datasets/rows.js';
import * as runTables from './datasets/run-tables.js';
import * as solutions from './datasets/solutions.js';
import * as tableChanges from './datasets/table-changes.js';
import * as views from './datasets/views.js';
import type { EventType } from './kit/event.js';
import { healthChecks } from './kit/health.js';
import type { JobType } from './kit/job.js';
import type { AnyOperation } from './kit/operation.js';
import type { Signal } from './kit/signal.js';
import * as follows from './notifications/follows.js';
import * as mail from './notifications/mail.js';
import * as notificationConfig from './notifications/notification-config.js';
import * as notifications from './notifications/notifications.js';
import * as tableNotifications from './notifications/table-changes.js';
import * as tableFollows from './notifications/table-follows.js';
import * as webhooks from './notifications/webhooks.js';
import * as approvals from './runs/approvals.js';
import * as cache from './runs/cache.js';
import * as cachedResults from './runs/cached-results.js';
import * as childStatuses from './runs/child-statuses.js';
import * as compare from './runs/compare.js';
import * as contents from './runs/contents.js';
import * as control from './runs/control.js';
import * as dryRun from './runs/dry-run.js';
import * as engine from './runs/engine.js';
import * as failures from './runs/failures.js';
import * as logTimes from './runs/log-times.js';
import * as outputs from './runs/outputs.js';
import * as parameters from './runs/parameters.js';
import * as runs from './runs/runs.js';
import * as sandboxHosts from './runs/sandbox-hosts.js';
import * as sandbox from './runs/sandbox.js';
import * as subjobs from './runs/subjobs.js';
import * as workers from './runs/workers.js';
import * as exchange from './workflows/exchange.js';
import * as hooks from './workflows/hooks.js';
import * as library from './workflows/library.js';
import * as models from './workflows/models.js';
import * as projects from './workflows/projects.js';
import * as schedules from './workflows/schedules.js';
import * as secrets from './workflows/secrets.js';
import * as snapshots from './workflows/snapshots.js';
import * as spaces from './workflows/spaces.js';
import * as storage from './workflows/storage.js';
import * as triggers from './workflows/triggers.js';
import * as workflowVaults from './workflows/vaults.js';
import * as versions from './workflows/versions.js';
import * as workflowFiles from './workflows/workflow-files.js';
import * as workflows from './workflows/workflows.js';

/** Every file that declares operations, events, jobs or signals. All their exports are in the registry. */
const declarations: unknown[] = [
  sessions,
  users,
  vaults,
  callers,
  contacts,
  signInMethods,
  signingKeys,
  devices,
  mfa,
  passwords,
  google,
  roles,
  retention,
  admins,
  adminTokens,
  adminAudit,
  adminUsers,
  adminVaults,
  adminTasks,
  adminTasks.workOnTask,
  deadLetters,
  logLevel,
  joinTokens,
  joinedWorkers,
  join,
  measureVaults,
  teams,
  members,
  invitations,
  auditLog,
  spaces,
  projects,
  workflows,
  versions,
  exchange,
  workflowFiles,
  snapshots,
  models,
  library,
  schedules,
  hooks,
  triggers,
  secrets,
  storage,
  workflowVaults,
  runs,
  subjobs,
  workers,
  childStatuses,
  logTimes,
  outputs,
  failures,
  approvals,
  control,
  parameters,
  dryRun,
  compare,
  contents,
  cache,
  cachedResults,
  engine,
  sandbox,
  sandboxHosts,
  solutions,
  datasets,
  columns,
  rows,
  loads,
  runTables,
  tableChanges,
  views,
  queryFolders,
  reportingNodes,
  detectedTables,
  exportRequests,
  datasetJobs,
  paymentMethods,
  ledger,
  billingCustomer,
  plans,
  budget,
  usage,
  billingEvents,
  notifications,
  notificationConfig,
  follows,
  mail,
  tableNotifications,
  tableFollows,
  webhooks,
  healthChecks,
].flatMap((file): unknown[] => Object.values(file));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const operations = declarations.filter(
  (value): value is AnyOperation => isObject(value) && 'method' in value && 'access' in value,
);
export const restOperations = operations.filter((operation) => operation.access.kind !== 'internal');
export const events = declarations.filter((value): value is EventType => isObject(value) && 'consumers' in value);
export const jobs = declarations.filter((value): value is JobType => isObject(value) && 'queue' in value);
export const signals = declarations.filter(
  (value): value is Signal => isObject(value) && 'subject' in value && 'from' in value,
);
