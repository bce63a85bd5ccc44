import { z } from 'zod';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { Seal } from './seal.js';

const sealedBody = z.strictObject({ sealed: z.base64() });

/**
 * Bodies of operations that are declared `sealed`: encrypted under the installation's secret (`Seal`, a key for each
 * operation) as long as they are on the broker, so that neither its traces nor its own files show what is in them.
 */
export class SealedBodies {
  private readonly seals = new Map<string, Seal>();

  constructor(private readonly secret: string | undefined) {}

  seal(operation: AnyOperation, envelope: Envelope): Envelope {
    const sealed = this.sealOf(operation).seal(JSON.stringify(envelope.body));
    return { ...envelope, body: { sealed: Buffer.from(sealed).toString('base64') } };
  }

  /** @throws Error where the body came in clear, or was sealed under another secret or for another operation; quotes nothing */
  open(operation: AnyOperation, { body }: Envelope): unknown {
    const given = sealedBody.safeParse(body);
    if (!given.success) throw new Error(`The body of ${operation.name} is not sealed: whoever asks must seal it`);
    return JSON.parse(this.sealOf(operation).open(Buffer.from(given.data.sealed, 'base64'))) as unknown;
  }

  private sealOf({ name }: AnyOperation): Seal {
    if (this.secret === undefined) throw new Error(`${name} is sealed, which needs MILLRACE_SECRET`);
    const known = this.seals.get(name) ?? new Seal(this.secret, `body of ${name}`);
    this.seals.set(name, known);
    return known;
  }
}
