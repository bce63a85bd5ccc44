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

/** A request may run this much longer than its deadline. */
const LOCK_MARGIN_MS = 1_000;

/** Identifies a request: its owner, operation and idempotency key. */
interface RequestKey {
  owner: string;
  operation: string;
  key: string;
}

/** A request that is being handled. */
interface ActiveRequest {
  requestKey: RequestKey;
  /** The response that its transaction has stored. */
  storedResponse: string | null;
}

/**
 * Returns the first response to a repeated request with the same `Idempotency-Key` and body within 24 hours, without
 * executing it again. The transaction of the effect itself stores the response, so a crash cannot separate the two: in
 * a POST operation, the transaction returns the response of the handler.
 */
@Injectable()
export class Idempotency {
  private readonly current = new AsyncLocalStorage<ActiveRequest>();
  private readonly responseCipher: SecretCipher;
  private readonly requestHasher: KeyedHash;

  constructor(
    private readonly database: Database,
    @Inject(MESSAGING_OPTIONS) options: MessagingOptions,
  ) {
    if (options.secret === undefined) throw new Error('A service with a database needs MILLRACE_SECRET');
    this.responseCipher = new SecretCipher(options.secret, 'idempotent answers');
    // Keyed, because the hashed body may be a password or a secret variable, which are easy to guess.
    this.requestHasher = new KeyedHash(options.secret, 'idempotent requests');
    database.beforeCommit((tx, value) => {
      const current = this.current.getStore();
      if (!current || value === undefined) return;
      current.storedResponse = JSON.stringify(value);
      tx.defer(this.storeResponse(current.requestKey, current.storedResponse));
    });
  }

  /** @throws ValidationError if the key was used with another request */
  async executeOnce(operation: AnyOperation, envelope: Envelope, execute: () => Promise<unknown>): Promise<unknown> {
    const requestKey = {
      owner: ownerOf(operation, envelope),
      operation: operation.name,
      key: envelope.idempotencyKey ?? '',
    };
    const hash = this.requestHasher.hash(JSON.stringify([envelope.params, envelope.query, envelope.body]));
    const previous = await this.claimOrGetResponse(requestKey, hash, envelope.deadline);
    if (previous) return JSON.parse(this.responseCipher.decrypt(previous)) as unknown;
    try {
      const current: ActiveRequest = { requestKey, storedResponse: null };
      const response = await this.current.run(current, execute);
      const text = JSON.stringify(response);
      if (text !== current.storedResponse) await this.database.client.$executeRaw(this.storeResponse(requestKey, text));
      return response;
    } catch (error) {
      // Without a stored response nothing was committed, so the key may be reused at once.
      const withoutResponse = { where: { ...requestKey, response: null } };
      await this.database.client.idempotentRequest.deleteMany(withoutResponse).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Claims the key, or returns the stored response; waits while another request with the key is being handled. The claim does
   * not wait for the disk: if a crash of Postgres loses it, it also loses the effect, whose commit comes later.
   */
  private async claimOrGetResponse(requestKey: RequestKey, hash: string, deadline: number): Promise<Uint8Array | null> {
    // A request that holds the lock has failed or ended by then.
    const lockMs = Math.max(0, deadline - Date.now()) + LOCK_MARGIN_MS;
    for (;;) {
      const claimedRows = await this.database.client.$queryRaw<unknown[]>`
        INSERT INTO messaging.idempotent_request AS r (owner, operation, key, request_hash, locked_until)
        SELECT ${requestKey.owner}, ${requestKey.operation}, ${requestKey.key}, ${hash}, now() + ${lockMs}::int * interval '1 ms'
        FROM (SELECT set_config('synchronous_commit', 'off', true)) AS setting
        ON CONFLICT (owner, operation, key) DO UPDATE
          SET request_hash = excluded.request_hash, response = NULL, locked_until = excluded.locked_until, created_at = now()
          WHERE r.created_at < now() - interval '24 h' OR (r.response IS NULL AND r.locked_until < now())
        RETURNING 1`;
      if (claimedRows.length > 0) return null;
      const previous = await this.database.client.idempotentRequest.findUnique({
        where: { owner_operation_key: requestKey },
      });
      if (previous && previous.requestHash !== hash) {
        throw new ValidationError({
          'header.Idempotency-Key': 'was already used with a different request; send a new key',
        });
      }
      if (previous?.response) return previous.response;
      if (Date.now() > deadline - 200)
        throw new UnavailableError('The same request is still being processed. Send it again shortly.');
      await sleep(50);
    }
  }

  private storeResponse({ owner, operation, key }: RequestKey, response: string): Prisma.Sql {
    return Prisma.sql`
      UPDATE messaging.idempotent_request SET response = ${this.responseCipher.encrypt(response)}
      WHERE owner = ${owner} AND operation = ${operation} AND key = ${key}`;
  }
}

/** The owner of a key: the caller, or the credential in the path or body of a public operation, or else the network address. */
function ownerOf(operation: AnyOperation, { caller, client, params, body }: Envelope): string {
  if (caller) return caller.user;
  const { access, path, credentialInBody } = operation;
  if (credentialInBody) return hashOf(body);
  return access.kind === 'public' && path.includes('{') ? hashOf(params) : (client?.address ?? '');
}

const hashOf = (part: unknown): string => createHash('sha256').update(JSON.stringify(part)).digest('hex');
