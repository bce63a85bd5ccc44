import { Module, type DynamicModule } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AuditLogController } from './audit/audit-log.controller.js';
import { CallerChanges } from './callers/caller-changes.service.js';
import { CallersController } from './callers/callers.controller.js';
import { AUTH_ENV, type AuthEnv } from './env.js';
import { ExpiryService } from './expiry.service.js';
import { AcceptInvitationController } from './invitations/accept-invitation.controller.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { MembersController } from './members/members.controller.js';
import { OrderMail } from './order-mail.js';
import { AdmitCreatorsController } from './roles/admit-creators.controller.js';
import { OwnRolesController } from './roles/own-roles.controller.js';
import { SpaceNames } from './roles/space-names.js';
import { SpaceRolesController } from './roles/space-roles.controller.js';
import { VaultRolesController } from './roles/vault-roles.controller.js';
import { SessionsController } from './sign-in/sessions.controller.js';
import { SessionsService } from './sign-in/sessions.service.js';
import { SignInLimits } from './sign-in/sign-in-limits.js';
import { SigningKeys } from './keys/signing-keys.js';
import { SignupController } from './sign-in/signup.controller.js';
import { TeamsController } from './teams/teams.controller.js';
import { UsersController } from './users.controller.js';
import { VaultsController } from './vaults.controller.js';

@Module({})
export class AuthModule {
  static with(env: AuthEnv): DynamicModule {
    return {
      module: AuthModule,
      imports: [JwtModule.register({})],
      controllers: [
        SignupController,
        SessionsController,
        UsersController,
        VaultsController,
        CallersController,
        OwnRolesController,
        VaultRolesController,
        SpaceRolesController,
        AdmitCreatorsController,
        TeamsController,
        MembersController,
        InvitationsController,
        AcceptInvitationController,
        AuditLogController,
      ],
      providers: [
        { provide: AUTH_ENV, useValue: env },
        SigningKeys,
        SessionsService,
        SignInLimits,
        ExpiryService,
        CallerChanges,
        SpaceNames,
        OrderMail,
      ],
    };
  }
}
