import type { z } from 'zod';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { tlsFilesOf } from '@millrace/persistence/connections/tls-env';
import type { baseEnv, databaseEnv } from './env.js';

export function messagingOptions(
  service: ServiceName,
  env: z.output<typeof baseEnv> & Partial<z.output<typeof databaseEnv>>,
): MessagingOptions {
  const [natsTls, redisTls] = [tlsFilesOf(env, 'NATS'), tlsFilesOf(env, 'REDIS')];
  return {
    service,
    natsUrl: env.NATS_URL,
    ...(env.NATS_PASSWORD !== undefined && { natsPassword: env.NATS_PASSWORD }),
    ...(natsTls && { natsTls }),
    redisUrl: env.REDIS_URL,
    ...(redisTls && { redisTls }),
    ...(env.MILLRACE_SECRET !== undefined && { secret: env.MILLRACE_SECRET }),
    ...(env.EVENT_RETENTION_HOURS !== undefined && {
      eventRetentionMs: Math.round(env.EVENT_RETENTION_HOURS * 3_600_000),
    }),
    ...(env.EVENT_MAX_DELIVERIES !== undefined && { maxEventDeliveries: env.EVENT_MAX_DELIVERIES }),
    ...(env.DEAD_LETTER_RETENTION_DAYS !== undefined && { deadLetterDays: env.DEAD_LETTER_RETENTION_DAYS }),
    checkResponses: env.NODE_ENV !== 'production',
  };
}
