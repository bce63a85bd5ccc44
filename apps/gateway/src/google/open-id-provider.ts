import {
  type Configuration,
  type IDToken,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { UnavailableError } from '@millrace/contracts/kit/api-error';
import type { GatewayEnv } from '../env.js';
import type { SignInAttempt } from './attempt-cookie.js';

const TIMEOUT_SECONDS = 10;

type ExpectedChecks = Pick<SignInAttempt, 'state' | 'nonce' | 'verifier'>;

/**
 * The OpenID provider: authorization code flow with PKCE (RFC 7636), state and nonce (OpenID Connect Core, 3.1). Its
 * configuration is discovered on first use, and again after a failure, so the gateway starts without the provider.
 */
export class OpenIdProvider {
  private discovered?: Promise<Configuration> | undefined;

  constructor(private readonly settings: GoogleSettings) {}

  /** @returns the URL to redirect a user to, and the values to check when they return. @throws UnavailableError */
  async begin(redirectUri: string): Promise<{ url: URL; checks: ExpectedChecks }> {
    const config = await this.configuration();
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  }

  /**
   * Exchanges the code that a user returned with for a verified ID token.
   * @throws AuthorizationResponseError if the provider or the user denied the sign-in; ResponseBodyError if the provider
   *   rejected the code; ClientError if a value does not match; UnavailableError; TypeError if there is no ID token
   */
  async finish(callback: URL, { state, nonce, verifier }: ExpectedChecks): Promise<IDToken> {
    const config = await this.configuration();
    const tokens = await authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new TypeError('The OpenID provider sent no ID token');
    return claims;
  }

  private configuration(): Promise<Configuration> {
    this.discovered ??= this.discover().catch((error: unknown) => {
      this.discovered = undefined;
      throw Object.assign(new UnavailableError('Google is not reachable. Try again in a few seconds.'), {
        cause: error,
      });
    });
    return this.discovered;
  }

  private discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    return discovery(issuer, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      // The environment allows plain HTTP for this machine only.
      ...(issuer.protocol === 'http:' && { execute: [allowInsecureRequests] }),
    });
  }
}

interface GoogleSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
}

/** @returns the provider and client of sign-in with Google; null if it is not configured */
export function googleSettings(env: GatewayEnv): GoogleSettings | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER } = env;
  if (clientId === undefined || clientSecret === undefined) return null;
  return { issuer: new URL(GOOGLE_ISSUER), clientId, clientSecret };
}
