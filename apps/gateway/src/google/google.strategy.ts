import { Injectable, Logger } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { AuthorizationResponseError, ClientError, ResponseBodyError, type IDToken } from 'openid-client';
import { Strategy } from 'passport-custom';
import { z } from 'zod';
import { email } from '@millrace/contracts/auth/credentials';
import { googleError } from '@millrace/contracts/auth/google';
import { text } from '@millrace/contracts/kit/fields';
import { publicUrl } from '../routes/public-url.js';
import { AttemptCookie, type SignInAttempt } from './attempt-cookie.js';
import { OpenIdProvider } from './open-id-provider.js';

/** The user whom the provider has identified, and the path they return to. */
export interface GoogleUser {
  subject: string;
  email: string;
  name: string;
  returnTo: string;
}

const profile = z.object({ sub: text(255, 1), email, name: text(255, 1).optional().catch(undefined) });

/** Identifies a user who returns from the provider, by the authorization code and the cookie of their attempt. */
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
    if (!attempt) throw googleError('expired_token', 'expired_token');
    const claims = await this.verify(publicUrl(request), attempt);
    const { sub, email, name } = readProfile(claims);
    return { subject: sub, email, name: name ?? email, returnTo: attempt.returnTo };
  }

  private async verify(callback: URL, attempt: SignInAttempt): Promise<IDToken> {
    try {
      return await this.provider.finish(callback, attempt);
    } catch (error) {
      if (error instanceof AuthorizationResponseError) {
        throw googleError('access_denied', 'access_denied');
      }
      if (isRejectedByProvider(error)) {
        // Logs code and message only: the error's cause contains the response parameters.
        this.logger.warn({ message: 'Google sign-in rejected', code: error.code ?? error.name, reason: error.message });
        throw googleError('expired_token', 'expired_token');
      }
      throw error;
    }
  }
}

/** Whether the provider rejected the code or its response did not verify. Any other error is an outage of the provider. */
const isRejectedByProvider = (error: unknown): error is ResponseBodyError | ClientError =>
  error instanceof ResponseBodyError ||
  (error instanceof ClientError && error.code !== undefined && error.code !== 'OAUTH_TIMEOUT');

/** An unverified address may belong to someone else, whose invitation this user could then accept. */
function readProfile(claims: IDToken): z.output<typeof profile> {
  if (claims['email_verified'] !== true) throw googleError('forbidden', 'unverified_email');
  const parsed = profile.safeParse(claims);
  if (!parsed.success) throw googleError('forbidden', 'unusable_profile');
  return parsed.data;
}
