import { z } from 'zod';
import { publicAccess, onlyServices } from '../kit/access.js';
import { internalOperation, operation } from '../kit/operation.js';

/** Public keys that verify session JWTs. */
export const listSigningKeys = internalOperation('auth.keys.list', {
  summary: 'List public signing keys',
  access: onlyServices('gateway'),
  readOnly: true,
  body: z.object({}),
  response: z.object({ keys: z.array(z.object({ kid: z.string(), publicKey: z.string().describe('PEM, SPKI') })) }),
});

const jwk = z.looseObject({ kty: z.string(), kid: z.string(), use: z.literal('sig'), alg: z.literal('ES256') });

export const getJwks = operation('auth.keys.jwks', {
  method: 'GET',
  path: '/auth/jwks',
  summary: 'Get the public keys that verify session JWTs (RFC 7517)',
  description:
    'For services that check session JWTs themselves. The keys are EC keys for ES256; the `kid` in the header of ' +
    'a JWT names its key. Needs no credentials.',
  access: publicAccess,
  response: z.object({ keys: z.array(jwk) }),
});
