import { Injectable } from '@nestjs/common';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Input } from '@millrace/contracts/kit/operation';
import type { fireHook } from '@millrace/contracts/workflows/hooks';
import { Database } from '@millrace/persistence/database';
import { DataKeys, SELECT_WRAPPED_KEYS, type WrappedKey } from '../secrets/keys/data-keys.js';
import { decryptHookSecret, hashHookToken, newUnknownHookError } from './hook-secret.js';
import { verifySignature, type Signature } from './verify-signature.js';

/** Checks the token and the signature of a call to a hook. */
@Injectable()
export class HookCallGuard {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
  ) {}

  /** @throws ApiError `not_found`; `unauthenticated` if the call is not signed as the hook requires */
  async check(envelope: Envelope & Input<typeof fireHook>): Promise<void> {
    const found = await this.database.client.hook.findUnique({
      where: { tokenHash: hashHookToken(envelope.params.token) },
      select: { vaultId: true, workflowId: true, signature: true, signatureSecret: true },
    });
    if (!found) throw newUnknownHookError();
    if (found.signature === null || found.signatureSecret === null) return;
    const secret = await this.decrypt(found.signatureSecret, found);
    const payload = Buffer.from(envelope.body.payload, 'base64');
    const headers = envelope.client?.headers ?? {};
    verifySignature(found.signature as unknown as Signature, secret, { headers, payload });
  }

  private async decrypt(encrypted: Uint8Array, hook: { vaultId: string; workflowId: string }): Promise<string> {
    const [key] = await this.database.client.$queryRaw<WrappedKey[]>`
      ${SELECT_WRAPPED_KEYS} WHERE vault_id = ${hook.vaultId}::uuid`;
    if (!key) throw new Error(`Vault ${hook.vaultId} has no data key`);
    return decryptHookSecret(this.keys.unwrap(key), encrypted, hook);
  }
}
