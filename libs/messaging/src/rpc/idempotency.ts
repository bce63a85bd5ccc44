import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { UnavailableError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { KeyedHash } from '../crypto/keyed-hash.js';
import { SecretCipher } from '../crypto/secret-cipher.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';

/** A request that nobody waits for any more may take so much longer to end. */
const GIVEN_UP_MS = 1_000;

/** Whose request it is, which one, and under which key. */
interface Claim {
  owner: string;
  operation: string;
  key: string;
}

/** A request under way. */
interface Claimed {
  claim: Claim;
  /** The answer that its transaction has written. */
  kept: string | null;
}

/**
 * The same `Idempotency-Key` and body within 24 hours gets the first answer, and nothing is done twice. The answer is
 * written in the transaction of the effect itself, so a crash cannot part the two: in a POST operation the transaction
 * returns what the handler answers.
 */
@Injectable()
export class Idempotency {
  private readonly current = new AsyncLocalStorage<Claimed>();
  private readonly answers: SecretCipher;
  private readonly requests: KeyedHash;

  constructor(
    private readonly database: Database,
    @Inject(MESSAGING_OPTIONS) options: MessagingOptions,
  ) {
    if (options.secret === undefined) throw new Error('A service with a database needs the secret of the installation');
    this.answers = new SecretCipher(options.secret, 'idempotent answers');
    // Keyed, for what is hashed may be a password or a secret variable, and easy to guess.
    this.requests = new KeyedHash(options.secret, 'idempotent requests');
    database.beforeCommit((tx, value) => {
      const current = this.current.getStore();
      if (!current || value === undefined) return;
      current.kept = JSON.stringify(value);
      tx.defer(this.keep(current.claim, current.kept));
    });
  }

  /** @throws ValidationError where the key came with another body before */
  async once(operation: AnyOperation, envelope: Envelope, work: () => Promise<unknown>): Promise<unknown> {
    const claim = {
      owner: ownerOf(operation, envelope),
      operation: operation.name,
      key: envelope.idempotencyKey ?? '',
    };
    const hash = this.requests.hash(JSON.stringify([envelope.params, envelope.query, envelope.body]));
    const former = await this.begin(claim, hash, envelope.deadline);
    if (former) return JSON.parse(this.answers.decrypt(former)) as unknown;
    try {
      const current: Claimed = { claim, kept: null };
      const answer = await this.current.run(current, work);
      const text = JSON.stringify(answer);
      if (text !== current.kept) await this.database.client.$executeRaw(this.keep(claim, text));
      return answer;
    } catch (error) {
      // Without an answer nothing was committed, so the key may be used again at once.
      const unanswered = { where: { ...claim, response: null } };
      await this.database.client.idempotentRequest.deleteMany(unanswered).catch(() => undefined);
      throw error;
    }
  }

  /** Claims the key, or gives the answer that stands under it; waits for one that is being worked out. */
  private async begin(claim: Claim, hash: string, deadline: number): Promise<Uint8Array | null> {
    // Whoever works on it has given up by its deadline, or is gone.
    const heldMs = Math.max(0, deadline - Date.now()) + GIVEN_UP_MS;
    for (;;) {
      const claimed = await this.database.client.$queryRaw<unknown[]>`
        INSERT INTO messaging.idempotent_request AS r (owner, operation, key, request_hash, locked_until)
        VALUES (${claim.owner}, ${claim.operation}, ${claim.key}, ${hash}, now() + ${heldMs}::int * interval '1 ms')
        ON CONFLICT (owner, operation, key) DO UPDATE
          SET request_hash = excluded.request_hash, response = NULL, locked_until = excluded.locked_until, created_at = now()
          WHERE r.created_at < now() - interval '24 h' OR (r.response IS NULL AND r.locked_until < now())
        RETURNING 1`;
      if (claimed.length > 0) return null;
      const former = await this.database.client.idempotentRequest.findUnique({ where: { owner_operation_key: claim } });
      if (former && former.requestHash !== hash) {
        throw new ValidationError({ 'header.Idempotency-Key': 'was used with another request before' });
      }
      if (former?.response) return former.response;
      if (Date.now() > deadline - 200)
        throw new UnavailableError('The same request is still being processed. Send it again shortly.');
      await sleep(50);
    }
  }

  private keep({ owner, operation, key }: Claim, answer: string): Prisma.Sql {
    return Prisma.sql`
      UPDATE messaging.idempotent_request SET response = ${this.answers.encrypt(answer)}
      WHERE owner = ${owner} AND operation = ${operation} AND key = ${key}`;
  }
}

/** What shows a credential in its path is known by that, from wherever it calls; others without a caller by their address. */
function ownerOf({ access, path }: AnyOperation, { caller, client, params }: Envelope): string {
  if (caller) return caller.user;
  if (access.kind === 'public' && path.includes('{')) {
    return createHash('sha256').update(JSON.stringify(params)).digest('hex');
  }
  return client?.address ?? '';
}
