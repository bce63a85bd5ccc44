/**
 * The operations and records of the API by resource, as its contract declares them: `runs.getRun` is what
 * `MillraceClient.call` takes, `runs.run` the record that it gives.
 */
export * as notifications from '@millrace/contracts/notifications/notifications';
export * as outputs from '@millrace/contracts/runs/outputs';
export * as projects from '@millrace/contracts/workflows/projects';
export * as runs from '@millrace/contracts/runs/runs';
export * as sessions from '@millrace/contracts/auth/sessions';
export * as spaces from '@millrace/contracts/workflows/spaces';
export * as storage from '@millrace/contracts/workflows/storage';
export * as subjobs from '@millrace/contracts/runs/subjobs';
export * as users from '@millrace/contracts/auth/users';
export * as vaults from '@millrace/contracts/auth/vaults';
export * as versions from '@millrace/contracts/workflows/versions';
export * as workflows from '@millrace/contracts/workflows/workflows';
