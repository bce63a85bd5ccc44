import { randomBytes } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import { joinAsWorker } from '@millrace/contracts/auth/join';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { JoinToken } from '@millrace/persistence/generated/client';
import { insertAdminAudit } from '../admin/audit/write-admin-audit.js';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { AttemptLimits, WrongGuessError } from '../limits/attempt-limits.js';
import { joinLimit } from '../limits/limit.js';
import { hashSecret, randomSecret } from '../secrets/random-token.js';
import { chooseGrant, readPlacement } from './choose-grant.js';
import { stateOf } from './join-tokens.controller.js';
import { type JoinServers, readJoinServers } from './read-join-servers.js';
import { RedisUsers } from './redis-users.js';

type Joined = Result<typeof joinAsWorker>;

/** Exchanges a join token for the credentials of a worker. */
@Controller()
export class JoinController {
  constructor(
    private readonly database: Database,
    private readonly limits: AttemptLimits,
    private readonly redisUsers: RedisUsers,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  @OperationHandler(joinAsWorker)
  join({ body }: Input<typeof joinAsWorker>, context: Context): Promise<Joined> {
    return this.limits.attempt([joinLimit(context)], () =>
      this.database.transaction(async (tx): Promise<Joined> => {
        const token = await useToken(tx, body.token);
        const servers = readJoinServers(this.env);
        const grant = chooseGrant(readPlacement(token), definedOf(body));
        const [id, key, password] = [`j-${randomBytes(8).toString('hex')}`, randomSecret(), randomSecret()];
        const by = clientFields(context.envelope);
        const worker = await tx.joinedWorker.create({
          data: {
            ...{ id, name: body.name, ...grant, tokenName: token.name, address: by.address ?? null },
            ...{ keyHash: hashSecret(key), redisHash: hashSecret(password) },
          },
        });
        await insertAdminAudit(
          tx,
          {
            action: 'worker.joined',
            target: { type: 'worker', id, name: body.name },
            details: { token: token.name, ...grant },
          },
          { actorId: null, actorEmail: null, credential: 'join_token', ...by },
        );
        // Last, because it cannot be rolled back. A user without a row is deleted within a minute.
        await this.redisUsers.create(worker);
        return { id, worker_key: key, ...grant, ...describeServers(servers, this.redisUsers.nameOf(id), password) };
      }),
    );
  }
}

/**
 * Counts a use of the token, and locks it. The token is found by its hash, so the time of the search reveals nothing about it.
 * @throws ApiError if it is unknown, revoked, expired or used up
 */
async function useToken(tx: Transaction, token: string): Promise<JoinToken> {
  const where = { tokenHash: hashSecret(token) };
  // The update locks the row, so that two workers do not use the last use at once.
  await tx.joinToken.updateMany({ where, data: { uses: { increment: 1 } } });
  const row = await tx.joinToken.findUnique({ where });
  if (!row)
    throw new WrongGuessError(
      'unauthenticated',
      'The join token does not exist. Create one with `millrace admin join-tokens create`.',
    );
  const state = stateOf({ ...row, uses: row.uses - 1 });
  if (state === 'expired')
    throw new ApiError(
      'token_expired',
      `The join token expired at ${row.expiresAt.toISOString()}. Create another one.`,
    );
  if (state === 'revoked') throw new ApiError('forbidden', 'The join token was revoked. Create another one.');
  if (state === 'used_up')
    throw new ApiError(
      'forbidden',
      `The join token was used ${row.maxUses} times, as often as it allows. Create another one.`,
    );
  return row;
}

const definedOf = ({ fleet, labels, sizes }: Input<typeof joinAsWorker>['body']) => ({
  ...(fleet !== undefined && { fleet }),
  ...(labels !== undefined && { labels }),
  ...(sizes !== undefined && { sizes }),
});

function describeServers({ redisUrl, redisCa, storageUrl, storageKeys }: JoinServers, user: string, password: string) {
  return {
    ...{ redis_url: redisUrl.href, redis_user: user, redis_password: password },
    ...(redisCa !== undefined && { redis_ca: redisCa }),
    storage_url: storageUrl,
    ...(storageKeys && { storage_access_key: storageKeys.id, storage_secret_key: storageKeys.secret }),
  };
}
