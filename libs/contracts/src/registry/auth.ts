import * as adminAudit from '../auth/admin/admin-audit.js';
import * as adminTasks from '../auth/admin/admin-tasks.js';
import * as adminTokens from '../auth/admin/admin-tokens.js';
import * as adminUsers from '../auth/admin/admin-users.js';
import * as adminVaults from '../auth/admin/admin-vaults.js';
import * as admins from '../auth/admin/admins.js';
import * as deadLetters from '../auth/admin/dead-letters.js';
import * as joinTokens from '../auth/admin/join-tokens.js';
import * as joinedWorkers from '../auth/admin/joined-workers.js';
import * as logLevel from '../auth/admin/log-level.js';
import { measureVaults } from '../auth/admin/vault-usage.js';
import * as auditLog from '../auth/audit-log.js';
import * as callers from '../auth/callers.js';
import * as contacts from '../auth/contacts.js';
import * as devices from '../auth/devices.js';
import * as google from '../auth/google.js';
import * as invitations from '../auth/invitations.js';
import * as join from '../auth/join.js';
import * as members from '../auth/members.js';
import * as mfa from '../auth/mfa.js';
import * as passwords from '../auth/passwords.js';
import * as retention from '../auth/retention.js';
import * as roles from '../auth/roles.js';
import * as sessions from '../auth/sessions.js';
import * as signInMethods from '../auth/sign-in-methods.js';
import * as signingKeys from '../auth/signing-keys.js';
import * as teams from '../auth/teams.js';
import * as users from '../auth/users.js';
import * as vaults from '../auth/vaults.js';
import { collect } from './collect.js';

/** What the service auth declares. */
export const authContracts = collect([
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
]);
