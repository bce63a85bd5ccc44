import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { addAdminAudit } from './admin/add-admin-audit.js';
import { addAdmins } from './admin/add-admins.js';
import { addDead } from './admin/add-dead.js';
import { addJoinTokens } from './admin/add-join-tokens.js';
import { addJoinedWorkers } from './admin/add-joined-workers.js';
import { addLogLevel } from './admin/add-log-level.js';
import { addTasks } from './admin/add-tasks.js';
import { addTokens } from './admin/add-tokens.js';
import { addUsers } from './admin/add-users.js';
import { addVaults } from './admin/add-vaults.js';
import { CommandGroup } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  ...['admins.list', 'admins.grant', 'admins.revoke', 'adminTokens.list', 'adminTokens.create', 'adminTokens.revoke'],
  ...['adminUsers.list', 'adminUsers.get', 'adminUsers.suspend', 'adminUsers.resume', 'adminUsers.resetSignIn'],
  ...['adminVaults.list', 'adminVaults.get', 'adminVaults.suspend', 'adminVaults.resume', 'adminVaults.setLimits'],
  ...['deadLetters.list', 'deadLetters.retry', 'deadLetters.drop', 'logLevel.set', 'adminAudit.list'],
  ...['adminTasks.check', 'adminTasks.reindex', 'adminTasks.list', 'adminTasks.get', 'adminTasks.cancel'],
  ...['joinTokens.list', 'joinTokens.create', 'joinTokens.revoke', 'joinedWorkers.list', 'joinedWorkers.revoke'],
];

/** Commands for administrators of the installation. */
export function addAdmin(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'admin', 'administer the whole installation');
  addUsers(group, context);
  addVaults(group, context);
  addDead(group, context);
  addTasks(group);
  addLogLevel(group);
  addAdmins(group, context);
  addTokens(group, context);
  addJoinTokens(group, context);
  addJoinedWorkers(group, context);
  addAdminAudit(group);
}
