import type { z } from 'zod';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { MessagingOptions } from '@millrace/messaging/options';
import type { baseEnv } from './env.js';

export function messagingOptions(service: ServiceName, env: z.output<typeof baseEnv>): MessagingOptions {
  return {
    service,
    natsUrl: env.NATS_URL,
    ...(env.NATS_PASSWORD !== undefined && { natsPassword: env.NATS_PASSWORD }),
    redisUrl: env.REDIS_URL,
    secret: env.MILLRACE_SECRET,
    checkResponses: env.NODE_ENV !== 'production',
  };
}
