import { createPublicKey } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { getJwks, listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import type { Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { SigningKeys } from './signing-keys.js';

type Jwks = Result<typeof getJwks>;

/** Publishes the public keys to the gateway, and as JWKS to all other clients. */
@Controller()
export class SigningKeysController {
  constructor(private readonly keys: SigningKeys) {}

  @OperationHandler(listSigningKeys)
  async list(): Promise<Result<typeof listSigningKeys>> {
    return { keys: await this.keys.listPublic() };
  }

  @OperationHandler(getJwks)
  async getJwks(): Promise<Jwks> {
    const keys = await this.keys.listPublic();
    return { keys: keys.map(({ kid, publicKey }) => toJwk(kid, publicKey)) };
  }
}

/** RFC 7517; an elliptic curve's `crv`, `x` and `y` are RFC 7518, 6.2. */
function toJwk(kid: string, pem: string): Jwks['keys'][number] {
  const { kty = '', ...point } = createPublicKey(pem).export({ format: 'jwk' });
  return { kty, ...point, kid, use: 'sig', alg: 'ES256' };
}
