import { Module, type DynamicModule } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { CallersController } from './callers.controller.js';
import { AUTH_ENV, type AuthEnv } from './env.js';
import { ExpiryService } from './expiry.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignInLimits } from './sign-in-limits.js';
import { SigningKeys } from './signing-keys.js';
import { SignupController } from './signup.controller.js';
import { UsersController } from './users.controller.js';
import { VaultsController } from './vaults.controller.js';

@Module({})
export class AuthModule {
  static with(env: AuthEnv): DynamicModule {
    return {
      module: AuthModule,
      imports: [JwtModule.register({})],
      controllers: [SignupController, SessionsController, UsersController, VaultsController, CallersController],
      providers: [{ provide: AUTH_ENV, useValue: env }, SigningKeys, SessionsService, SignInLimits, ExpiryService],
    };
  }
}
