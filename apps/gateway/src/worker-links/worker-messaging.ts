import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { messagingOptions } from '@millrace/service/startup/messaging-options';
import type { GatewayEnv } from '../env.js';

/**
 * How the gateway connects to NATS for joined workers: as the service `worker`.
 * @returns null if NATS has users for each service, and the gateway does not have the worker's password
 */
export function workerMessaging(env: GatewayEnv): MessagingOptions | null {
  const { NATS_PASSWORD, NATS_PASSWORD_WORKER, ...rest } = env;
  if (NATS_PASSWORD !== undefined && NATS_PASSWORD_WORKER === undefined) return null;
  return messagingOptions('worker', {
    ...rest,
    ...(NATS_PASSWORD_WORKER !== undefined && { NATS_PASSWORD: NATS_PASSWORD_WORKER }),
  });
}
