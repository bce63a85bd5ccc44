import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type IDToken,
} from 'openid-client';
import { UnavailableError } from '@millrace/contracts/kit/api-error';
import type { Attempt } from './attempt-cookie.js';
import type { GoogleSettings } from './google-settings.js';

const TIMEOUT_SECONDS = 10;

type Checks = Pick<Attempt, 'state' | 'nonce' | 'verifier'>;

/**
 * The OpenID provider: authorization code flow with PKCE (RFC 7636), state and nonce (OpenID Connect Core, 3.1). It is
 * looked up when it is first needed, and again after a failure, so that one that is away keeps nothing from starting.
 */
export class OpenIdProvider {
  private found?: Promise<Configuration> | undefined;

  constructor(private readonly settings: GoogleSettings) {}

  /** Where to send somebody, and what has to match when they come back. @throws Unavailable */
  async begin(redirectUri: string): Promise<{ url: URL; checks: Checks }> {
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
   * Exchanges the code that somebody came back with; the ID token is verified.
   * @throws AuthorizationResponseError the provider said no; ResponseBodyError it does not take the code; ClientError
   *   something does not match; Unavailable; TypeError it gives no ID token
   */
  async finish(callback: URL, { state, nonce, verifier }: Checks): Promise<IDToken> {
    const config = await this.configuration();
    const tokens = await authorizationCodeGrant(config, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new TypeError('The provider gave no ID token');
    return claims;
  }

  private configuration(): Promise<Configuration> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = undefined;
      throw Object.assign(new UnavailableError('Google cannot be reached. Try again shortly.'), { cause: error });
    });
    return this.found;
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
