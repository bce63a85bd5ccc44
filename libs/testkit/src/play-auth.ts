import { callersChanged } from '@millrace/contracts/auth/callers';
import type { MessagingOptions } from '@millrace/messaging/options';
import { playService, type PlayedService } from './play-service.js';

/** The auth service as gateways know it. */
export interface PlayedAuth extends PlayedService {
  /** Tells that callers changed; without content, that nothing did. */
  tell(change?: { users?: string[]; vaults?: string[]; all?: boolean }): void;
}

export async function playAuth(options: MessagingOptions): Promise<PlayedAuth> {
  const service = await playService(options);
  return {
    ...service,
    tell: ({ users = [], vaults = [], all = false } = {}) =>
      service.broker.tell(callersChanged, { users, vaults, all }),
  };
}
