import { Controller, Inject } from '@nestjs/common';
import { getSignInMethods } from '@millrace/contracts/auth/sign-in-methods';
import type { Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** How users may sign in here, for pages that are shown before the sign-in. */
@Controller()
export class SignInMethodsController {
  constructor(@Inject(AUTH_ENV) private readonly env: AuthEnv) {}

  @OperationHandler(getSignInMethods)
  get(): Result<typeof getSignInMethods> {
    return { signup: this.env.SIGNUP, google: this.env.GOOGLE_CLIENT_ID !== undefined };
  }
}
