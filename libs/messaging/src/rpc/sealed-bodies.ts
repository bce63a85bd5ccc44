import { z } from 'zod';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { KeyedHash } from '../crypto/keyed-hash.js';
import { SecretCipher } from '../crypto/secret-cipher.js';

const sealedBody = z.strictObject({ sealed: z.base64() });

/** The keys of one sealed operation. */
interface Keys {
  bodyCipher: SecretCipher;
  keyHasher: KeyedHash;
}

/**
 * Encrypts the bodies of `sealed` operations between gateway and service (`SecretCipher`, with a key per operation), so
 * that neither traces nor files of the broker reveal them. The `Idempotency-Key` is sent as a keyed hash, because
 * clients choose it and may put a secret into it.
 */
export class SealedBodies {
  private readonly keys = new Map<string, Keys>();

  constructor(private readonly secret: string | undefined) {}

  seal(operation: AnyOperation, envelope: Envelope): Envelope {
    const { bodyCipher, keyHasher } = this.keysOf(operation);
    const sealed = bodyCipher.encrypt(JSON.stringify(envelope.body));
    const { idempotencyKey } = envelope;
    return {
      ...envelope,
      ...(idempotencyKey !== undefined && { idempotencyKey: keyHasher.hash(idempotencyKey) }),
      body: { sealed: Buffer.from(sealed).toString('base64') },
    };
  }

  /**
   * @throws Error if the body is not encrypted, or was encrypted under another secret or for another operation; never
   * quotes it
   */
  open(operation: AnyOperation, { body }: Envelope): unknown {
    const parsed = sealedBody.safeParse(body);
    if (!parsed.success) throw new Error(`The body of ${operation.name} is not sealed; its caller must seal it`);
    return JSON.parse(this.keysOf(operation).bodyCipher.decrypt(Buffer.from(parsed.data.sealed, 'base64'))) as unknown;
  }

  private keysOf({ name }: AnyOperation): Keys {
    if (this.secret === undefined) throw new Error(`${name} is a sealed operation, which requires MILLRACE_SECRET`);
    const keys = this.keys.get(name) ?? {
      bodyCipher: new SecretCipher(this.secret, `body of ${name}`),
      keyHasher: new KeyedHash(this.secret, `Idempotency-Key of ${name}`),
    };
    this.keys.set(name, keys);
    return keys;
  }
}
