import { Injectable, Logger } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { AuthorizationResponseError, ClientError, ResponseBodyError, type IDToken } from 'openid-client';
import { Strategy } from 'passport-custom';
import { z } from 'zod';
import { email } from '@millrace/contracts/auth/credentials';
import { ApiError, ForbiddenError } from '@millrace/contracts/kit/api-error';
import { text } from '@millrace/contracts/kit/fields';
import { publicUrl } from '../routes/public-url.js';
import { AttemptCookie, type Attempt } from './attempt-cookie.js';
import { OpenIdProvider } from './open-id-provider.js';

/** Whom the provider vouches for, and where they want to go. */
export interface GoogleUser {
  subject: string;
  email: string;
  name: string;
  returnTo: string;
}

const person = z.object({ sub: text(255, 1), email, name: text(255, 1).optional().catch(undefined) });

/** Knows who comes back from the provider by the code that they bring and the cookie that they left with. */
@Injectable()
export class GoogleStrategy extends PassportStrategy(Strategy, 'google') {
  private readonly logger = new Logger(GoogleStrategy.name);

  constructor(
    private readonly provider: OpenIdProvider,
    private readonly cookie: AttemptCookie,
  ) {
    super();
  }

  async validate(request: FastifyRequest): Promise<GoogleUser> {
    const attempt = this.cookie.read(request);
    if (!attempt) throw new ApiError('expired_token', 'This sign-in has expired, or began in another browser');
    const claims = await this.verify(publicUrl(request), attempt);
    const { sub, email, name } = readPerson(claims);
    return { subject: sub, email, name: name ?? email, returnTo: attempt.returnTo };
  }

  private async verify(callback: URL, attempt: Attempt): Promise<IDToken> {
    try {
      return await this.provider.finish(callback, attempt);
    } catch (error) {
      if (error instanceof AuthorizationResponseError) {
        throw new ApiError('access_denied', 'Google did not sign you in');
      }
      if (isRefusal(error)) {
        // Not the error itself, whose cause holds what came along.
        this.logger.warn(`A sign-in with Google was refused: ${error.code ?? error.name}: ${error.message}`);
        throw new ApiError('expired_token', 'This sign-in is not good, or was used before');
      }
      throw error;
    }
  }
}

/** The provider does not take the code, or what it says does not hold; anything else is a provider that is away. */
const isRefusal = (error: unknown): error is ResponseBodyError | ClientError =>
  error instanceof ResponseBodyError ||
  (error instanceof ClientError && error.code !== undefined && error.code !== 'OAUTH_TIMEOUT');

/** An address that is not verified could be anybody's, and would let them into an invitation to it. */
function readPerson(claims: IDToken): z.output<typeof person> {
  if (claims['email_verified'] !== true) throw new ForbiddenError('Google has not verified your email address');
  const parsed = person.safeParse(claims);
  if (!parsed.success) throw new ForbiddenError('Google gave no email address that can be used');
  return parsed.data;
}
