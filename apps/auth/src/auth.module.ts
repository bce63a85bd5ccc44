import { Module, type DynamicModule } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AdminTokensController } from './admin/admins/admin-tokens.controller.js';
import { AdminsController } from './admin/admins/admins.controller.js';
import { AdminAuditController } from './admin/audit/admin-audit.controller.js';
import { DeadLettersController } from './admin/dead-letters/dead-letters.controller.js';
import { LogLevelController } from './admin/log-level.controller.js';
import { AdminTasksController } from './admin/tasks/admin-tasks.controller.js';
import { TaskProgressController } from './admin/tasks/task-progress.controller.js';
import { AdminUsersController } from './admin/users/admin-users.controller.js';
import { SuspendedUsersController } from './admin/users/suspended-users.controller.js';
import { AdminVaultsController } from './admin/vaults/admin-vaults.controller.js';
import { AdministeredVaultsController } from './admin/vaults/administered-vaults.controller.js';
import { VaultUsage } from './admin/vaults/vault-usage.js';
import { AuditLogController } from './audit/audit-log.controller.js';
import { AuditedChangesListener } from './audit/audited-changes.listener.js';
import { CallerChangesService } from './callers/caller-changes.service.js';
import { CallersController } from './callers/callers.controller.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { DeviceApprovalController } from './devices/device-approval.controller.js';
import { DeviceGrantsService } from './devices/device-grants.service.js';
import { DeviceTokenController } from './devices/device-token.controller.js';
import { AUTH_ENV, type AuthEnv } from './env.js';
import { ExpiryService } from './expiry/expiry.service.js';
import { GoogleUsersService } from './google/google-users.service.js';
import { GoogleController } from './google/google.controller.js';
import { AcceptInvitationController } from './invitations/accept-invitation.controller.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { SigningKeysController } from './keys/signing-keys.controller.js';
import { SigningKeys } from './keys/signing-keys.js';
import { AttemptLimits } from './limits/attempt-limits.js';
import { MailQueue } from './mail/mail-queue.js';
import { MembersController } from './members/members.controller.js';
import { ChangePasswordController } from './passwords/change-password.controller.js';
import { MailResetJob } from './passwords/mail-reset.job.js';
import { PasswordChanger } from './passwords/password-changer.js';
import { ResetPasswordController } from './passwords/reset-password.controller.js';
import { RetentionController } from './retention/retention.controller.js';
import { OwnRolesController } from './roles/own-roles.controller.js';
import { SpaceCreatorsController } from './roles/space-creators.controller.js';
import { SpaceNamesService } from './roles/space-names.service.js';
import { SpaceRolesController } from './roles/space-roles.controller.js';
import { VaultRolesController } from './roles/vault-roles.controller.js';
import { Authenticator } from './second-factor/authenticator.js';
import { MfaController } from './second-factor/mfa.controller.js';
import { RecoveryCodes } from './second-factor/recovery-codes.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { RefreshController } from './sessions/refresh.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { LoginController } from './sign-in/login.controller.js';
import { SignInMethodsController } from './sign-in/sign-in-methods.controller.js';
import { SignupController } from './sign-in/signup.controller.js';
import { TeamsController } from './teams/teams.controller.js';
import { UsersController } from './users/users.controller.js';
import { PlanChangedListener } from './vaults/plan-changed.listener.js';
import { VaultCreator } from './vaults/vault-creator.js';
import { VaultsController } from './vaults/vaults.controller.js';
import { JoinTokensController } from './workers/join-tokens.controller.js';
import { JoinController } from './workers/join.controller.js';
import { JoinedWorkersController } from './workers/joined-workers.controller.js';
import { RedisUsers } from './workers/redis-users.js';
import { WorkerKeysController } from './workers/worker-keys.controller.js';

@Module({})
export class AuthModule {
  static with(env: AuthEnv): DynamicModule {
    return {
      module: AuthModule,
      imports: [JwtModule.register({})],
      controllers: [
        SignupController,
        LoginController,
        SignInMethodsController,
        RefreshController,
        SessionsController,
        MfaController,
        ChangePasswordController,
        ResetPasswordController,
        DeviceTokenController,
        DeviceApprovalController,
        GoogleController,
        SigningKeysController,
        UsersController,
        VaultsController,
        CallersController,
        ContactsController,
        OwnRolesController,
        VaultRolesController,
        SpaceRolesController,
        SpaceCreatorsController,
        TeamsController,
        MembersController,
        InvitationsController,
        AcceptInvitationController,
        AuditLogController,
        RetentionController,
        AdminsController,
        AdminTokensController,
        AdminAuditController,
        AdminUsersController,
        SuspendedUsersController,
        AdminVaultsController,
        AdministeredVaultsController,
        DeadLettersController,
        AdminTasksController,
        TaskProgressController,
        LogLevelController,
        JoinTokensController,
        JoinController,
        JoinedWorkersController,
        WorkerKeysController,
      ],
      providers: [
        { provide: AUTH_ENV, useValue: env },
        SigningKeys,
        RefreshTokens,
        SessionsService,
        AttemptLimits,
        VaultCreator,
        Authenticator,
        RecoveryCodes,
        SecondFactorService,
        PasswordChanger,
        MailResetJob,
        DeviceGrantsService,
        GoogleUsersService,
        ExpiryService,
        CallerChangesService,
        AuditedChangesListener,
        PlanChangedListener,
        SpaceNamesService,
        MailQueue,
        VaultUsage,
        RedisUsers,
      ],
    };
  }
}
