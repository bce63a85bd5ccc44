import type { ServerResponse } from 'node:http';
import { json, serve, type ReceivedRequest } from '@millrace/testkit/serve';

/** The response to a poll: an error code of RFC 8628, the tokens, an unexpected response, or a lost connection. */
export type PollResponse =
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'approved'
  | 'unexpected'
  | 'lost';

interface Script {
  /** Responses to the polls in order. The last one is repeated. */
  polls: PollResponse[];
  /** Seconds. */
  interval?: number;
  /** Lifetime of the first access token in seconds. */
  accessLifetime?: number;
  /** The second factor, if the account has one. */
  mfa?: object;
}

const user = {
  id: 'u',
  email: 'ada@example.org',
  name: 'Ada',
  vault: 'v',
  vault_role: 'owner',
  is_google: false,
  mfa_enabled: false,
  created_date: '2026-01-01T00:00:00.000Z',
};

/**
 * Starts a server with a sign-in over HTTP. The device grant follows the script. A refresh token works once, and ends the
 * session if it is used twice.
 */
export async function fakeAuth(script: Script) {
  const auth = new FakeAuth(script);
  const server = await serve((request, response) => auth.handle(request, response));
  return { ...server, auth };
}

class FakeAuth {
  ended = false;
  /** Idempotency keys of the polls, in order. */
  readonly keys: string[] = [];
  private generation = 1;
  private current: { access: string; refresh: string; expiresAt: string };
  private lostKey: string | null = null;

  constructor(private readonly script: Script) {
    this.current = this.createTokens(script.accessLifetime ?? 900);
  }

  /** The access token that is valid now. */
  get access(): string {
    return this.current.access;
  }

  handle(request: ReceivedRequest, response: ServerResponse): void {
    switch (request.url) {
      case '/api/auth/device/code':
        return this.beginGrant(request, response);
      case '/api/auth/device/token':
        return this.poll(request, response);
      case '/api/auth/token-refresh':
        return this.refresh(request, response);
      case '/api/auth/login':
        return this.login(request, response);
      default:
        return this.handleSignedIn(request, response);
    }
  }

  private beginGrant({ headers }: ReceivedRequest, response: ServerResponse): void {
    const uri = `http://${headers.host}/device`;
    json(response, 200, {
      device_code: 'the-device-code',
      user_code: 'BCDF-GHJK',
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=BCDF-GHJK`,
      expires_in: 600,
      interval: this.script.interval ?? 0,
    });
  }

  /** A code works once. After a lost response, only the same request receives the tokens again. */
  private poll({ headers }: ReceivedRequest, response: ServerResponse): void {
    const key = String(headers['idempotency-key']);
    const { polls } = this.script;
    const outcome = polls[Math.min(this.keys.length, polls.length - 1)] ?? 'authorization_pending';
    this.keys.push(key);
    if (outcome === 'lost') {
      this.lostKey = key;
      response.destroy();
    } else if (outcome === 'unexpected') {
      json(response, 200, {});
    } else if (outcome !== 'approved') {
      refuse(response, outcome);
    } else if (this.lostKey !== null && this.lostKey !== key) {
      refuse(response, 'expired_token');
    } else {
      const { access: access_token, refresh: refresh_token } = this.current;
      json(response, 200, { access_token, refresh_token, token_type: 'Bearer', is_google: false });
    }
  }

  private refresh({ body }: ReceivedRequest, response: ServerResponse): void {
    const { refresh } = JSON.parse(body) as { refresh: string };
    this.ended ||= refresh !== this.current.refresh;
    if (this.ended) return refuse(response, 'expired_token');
    this.generation += 1;
    this.current = this.createTokens(900);
    json(response, 200, this.current);
  }

  private login({ body }: ReceivedRequest, response: ServerResponse): void {
    const { mfa } = this.script;
    const { mfa_code } = JSON.parse(body) as { mfa_code?: object };
    if (mfa && !mfa_code) return refuse(response, 'mfa_required');
    if (mfa && JSON.stringify(mfa_code) !== JSON.stringify(mfa)) return refuse(response, 'invalid_mfa_code');
    json(response, 200, { ...this.current, user });
  }

  private handleSignedIn({ headers, url }: ReceivedRequest, response: ServerResponse): void {
    if (this.ended || headers.authorization !== `Bearer ${this.current.access}`) {
      return json(response, 401, { code: 'token_expired', message: 'The session has ended' });
    }
    this.ended = url === '/api/auth/logout';
    json(response, 200, url === '/api/users/me' ? user : { success: true });
  }

  private createTokens(lifetime: number) {
    const exp = Math.floor(Date.now() / 1000) + lifetime;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const access = `${part({ alg: 'ES256' })}.${part({ exp, generation: this.generation })}.signature`;
    return { access, refresh: `r${this.generation}`, expiresAt: new Date(exp * 1000).toISOString() };
  }
}

const refuse = (response: ServerResponse, code: string): void => json(response, 400, { code, message: 'no' });
