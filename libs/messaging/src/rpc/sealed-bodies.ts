import { z } from 'zod';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { KeyedHash } from '../crypto/keyed-hash.js';
import { SecretCipher } from '../crypto/secret-cipher.js';

const sealedBody = z.strictObject({ sealed: z.base64() });

/** What belongs to one sealed operation. */
interface Keys {
  bodies: SecretCipher;
  requests: KeyedHash;
}

/**
 * Bodies of operations that are declared `sealed`: encrypted under the installation's secret (`Seal`, a key for each
 * operation) as long as they are on the broker, so that neither its traces nor its own files show what is in them. The
 * `Idempotency-Key` goes as a keyed hash: clients choose it, and what is kept of a request must not hold what they put there.
 */
export class SealedBodies {
  private readonly keys = new Map<string, Keys>();

  constructor(private readonly secret: string | undefined) {}

  seal(operation: AnyOperation, envelope: Envelope): Envelope {
    const { bodies, requests } = this.keysOf(operation);
    const sealed = bodies.encrypt(JSON.stringify(envelope.body));
    const { idempotencyKey } = envelope;
    return {
      ...envelope,
      ...(idempotencyKey !== undefined && { idempotencyKey: requests.hash(idempotencyKey) }),
      body: { sealed: Buffer.from(sealed).toString('base64') },
    };
  }

  /** @throws Error where the body came in clear, or was sealed under another secret or for another operation; quotes nothing */
  open(operation: AnyOperation, { body }: Envelope): unknown {
    const given = sealedBody.safeParse(body);
    if (!given.success) throw new Error(`The body of ${operation.name} is not sealed: whoever asks must seal it`);
    return JSON.parse(this.keysOf(operation).bodies.decrypt(Buffer.from(given.data.sealed, 'base64'))) as unknown;
  }

  private keysOf({ name }: AnyOperation): Keys {
    if (this.secret === undefined) throw new Error(`${name} is sealed, which needs MILLRACE_SECRET`);
    const known = this.keys.get(name) ?? {
      bodies: new SecretCipher(this.secret, `body of ${name}`),
      requests: new KeyedHash(this.secret, `Idempotency-Key of ${name}`),
    };
    this.keys.set(name, known);
    return known;
  }
}
