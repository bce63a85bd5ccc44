/**
 * The operations and records of the API by resource, as its contract declares them: `runs.getRun` is what
 * `MillraceClient.call` takes, `runs.run` the record that it gives.
 */
export * as auditLog from '@millrace/contracts/auth/audit-log';
export * as columns from '@millrace/contracts/datasets/columns';
export * as datasets from '@millrace/contracts/datasets/datasets';
export * as detectedTables from '@millrace/contracts/datasets/detected-tables';
export * as devices from '@millrace/contracts/auth/devices';
export * as exchange from '@millrace/contracts/workflows/exchange';
export * as exports from '@millrace/contracts/datasets/exports';
export * as google from '@millrace/contracts/auth/google';
export * as hooks from '@millrace/contracts/workflows/hooks';
export * as invitations from '@millrace/contracts/auth/invitations';
export * as library from '@millrace/contracts/workflows/library';
export * as loads from '@millrace/contracts/datasets/loads';
export * as members from '@millrace/contracts/auth/members';
export * as mfa from '@millrace/contracts/auth/mfa';
export * as models from '@millrace/contracts/workflows/models';
export * as notifications from '@millrace/contracts/notifications/notifications';
export * as outputs from '@millrace/contracts/runs/outputs';
export * as passwords from '@millrace/contracts/auth/passwords';
export * as projects from '@millrace/contracts/workflows/projects';
export * as queryFolders from '@millrace/contracts/datasets/query-folders';
export * as reportingNodes from '@millrace/contracts/datasets/reporting-nodes';
export * as roles from '@millrace/contracts/auth/roles';
export * as rows from '@millrace/contracts/datasets/rows';
export * as runs from '@millrace/contracts/runs/runs';
export * as schedules from '@millrace/contracts/workflows/schedules';
export * as secrets from '@millrace/contracts/workflows/secrets';
export * as sessions from '@millrace/contracts/auth/sessions';
export * as signingKeys from '@millrace/contracts/auth/signing-keys';
export * as snapshots from '@millrace/contracts/workflows/snapshots';
export * as solutions from '@millrace/contracts/datasets/solutions';
export * as spaces from '@millrace/contracts/workflows/spaces';
export * as storage from '@millrace/contracts/workflows/storage';
export * as subjobs from '@millrace/contracts/runs/subjobs';
export * as teams from '@millrace/contracts/auth/teams';
export * as users from '@millrace/contracts/auth/users';
export * as vaults from '@millrace/contracts/auth/vaults';
export * as versions from '@millrace/contracts/workflows/versions';
export * as views from '@millrace/contracts/datasets/views';
export * as webhooks from '@millrace/contracts/notifications/webhooks';
export * as workflows from '@millrace/contracts/workflows/workflows';
