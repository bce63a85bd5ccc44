import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OpenIdServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The user who signs in next, without interaction; null for a user who denies the sign-in. */
  user: { sub: string; email: string; email_verified: boolean; name: string } | null;
  close(): Promise<void>;
}

/** A real OpenID provider on loopback, at which one user signs in without interaction. */
export async function openIdServer(redirectUri: string): Promise<OpenIdServer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'millrace', clientSecret: 'a secret of the client' };
  const state: OpenIdServer = {
    issuer,
    ...client,
    user: { sub: 'google-1', email: 'ada@example.org', email_verified: true, name: 'Ada' },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Like Google: the ID token contains the profile claims.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ ...state.user, sub: accountId }),
    }),
    cookies: { keys: ['a key of the tests'] },
    // Without explicit values, the provider logs warnings about its defaults.
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    if (!state.user) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new provider.Grant({ accountId: state.user.sub, clientId: client.clientId });
    grant.addOIDCScope('openid email profile');
    const grantId = await grant.save();
    await provider.interactionFinished(request, response, {
      login: { accountId: state.user.sub },
      consent: { grantId },
    });
  };
  const handle = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void (request.url?.startsWith('/interaction/') ? interact(request, response) : handle(request, response));
  });
  return state;
}
