import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { redisOptions } from '@millrace/messaging/jobs/redis-options';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { Database } from '@millrace/persistence/database';
import type { JoinedWorker } from '@millrace/persistence/generated/client';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { redisRulesOf } from './redis-rules.js';

const INTERVAL_MS = 60_000;
const COMMAND_TIMEOUT_MS = 5_000;
const TAG_LENGTH = 8;

type UserOf = Pick<JoinedWorker, 'id' | 'fleet' | 'redisHash'>;

/**
 * The ACL users of joined workers in Redis. Redis forgets them at a restart, unless it has an `aclfile`. So they are compared
 * with the table at each connection, and once a minute.
 */
@Injectable()
export class RedisUsers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RedisUsers.name);
  private readonly redis: Redis;
  /** Begins with a hash of the installation's secret, because several installations may share a server. */
  private readonly prefix: string;
  private readonly loop = new IntervalLoop('Update of the Redis users of workers', INTERVAL_MS, () => this.reconcile());

  constructor(
    private readonly database: Database,
    @Inject(MESSAGING_OPTIONS) { redisUrl, redisTls, secret = '' }: MessagingOptions,
  ) {
    const tag = new KeyedHash(secret, 'Redis users').hash('').slice(0, TAG_LENGTH);
    this.prefix = `millrace-${tag}-`;
    this.redis = new Redis({
      ...redisOptions(redisUrl, redisTls),
      ...{ lazyConnect: true, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT_MS },
    });
    // ioredis reconnects automatically; without a listener, it would write each error to the console.
    this.redis.on('error', () => undefined);
    this.redis.on('ready', () => void this.reconcile().catch((error: unknown) => this.warn(error)));
  }

  onApplicationBootstrap(): void {
    void this.redis.connect().catch(() => undefined);
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.redis.disconnect();
  }

  /** The user of a joined worker in Redis. */
  nameOf(worker: string): string {
    return `${this.prefix}${worker}`;
  }

  /** @throws ApiError `unavailable` if Redis cannot be reached, or does not let this service create users */
  async create(worker: UserOf): Promise<void> {
    try {
      await this.apply(worker);
    } catch (error) {
      throw new ApiError(
        'unavailable',
        `Redis did not create a user for the worker (${(error as Error).message}). The user in REDIS_URL of auth must have the right to the command ACL.`,
      );
    }
  }

  /** Deletes the user of a worker, and ends its connections. If Redis does not respond, it is tried again within a minute. */
  async remove(worker: string): Promise<void> {
    try {
      await this.redis.acl('DELUSER', this.nameOf(worker));
    } catch (error) {
      this.warn(error);
    }
  }

  /** Creates the users that are missing, and deletes those without a worker. */
  async reconcile(): Promise<void> {
    const workers = await this.database.client.joinedWorker.findMany({
      select: { id: true, fleet: true, redisHash: true },
    });
    const users = await this.listUsers().catch((error: Error) => {
      // Some servers permit no ACL commands. Without joined workers nothing is missing there.
      if (workers.length === 0 && /NOPERM|unknown command/i.test(error.message)) return new Set<string>();
      throw error;
    });
    for (const worker of workers) if (!users.has(this.nameOf(worker.id))) await this.apply(worker);
    const names = new Set(workers.map(({ id }) => this.nameOf(id)));
    await this.deleteUnknown([...users].filter((name) => !names.has(name)));
  }

  /** Deletes users without a worker. One may have joined since the workers were read. */
  private async deleteUnknown(names: string[]): Promise<void> {
    const ids = names.map((name) => name.slice(this.prefix.length));
    const joined = await this.database.client.joinedWorker.findMany({
      where: { id: { in: ids } },
      select: { id: true },
    });
    const known = new Set(joined.map(({ id }) => this.nameOf(id)));
    for (const name of names.filter((one) => !known.has(one))) await this.redis.acl('DELUSER', name);
  }

  private async apply({ id, fleet, redisHash }: UserOf): Promise<void> {
    await this.redis.acl('SETUSER', this.nameOf(id), ...redisRulesOf({ fleet, passwordHash: redisHash }));
  }

  private async listUsers(): Promise<Set<string>> {
    const users = await this.redis.acl('USERS');
    return new Set(users.filter((name) => name.startsWith(this.prefix)));
  }

  private warn(error: unknown): void {
    this.logger.warn({
      message: 'Update of the Redis users of workers failed; retrying',
      error,
      retryInMs: INTERVAL_MS,
    });
  }
}
