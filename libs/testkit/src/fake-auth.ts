import { callersChanged } from '@millrace/contracts/auth/callers';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { fakeService, type FakeService } from './fake-service.js';

/** The auth service as gateways know it. */
export interface FakeAuth extends FakeService {
  /** Tells that callers changed; without content, that nothing did. */
  tell(change?: { users?: string[]; vaults?: string[]; all?: boolean }): void;
}

export async function fakeAuth(options: MessagingOptions): Promise<FakeAuth> {
  const service = await fakeService(options);
  return {
    ...service,
    tell: ({ users = [], vaults = [], all = false } = {}) =>
      service.broker.publish(callersChanged, { users, vaults, all }),
  };
}
