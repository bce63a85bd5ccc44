import { callersChanged } from '@millrace/contracts/auth/callers';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { fakeService, type FakeService } from './fake-service.js';

/** A fake of the auth service, for suites that start gateways. */
export interface FakeAuth extends FakeService {
  /** Publishes which callers changed. Without an argument it is a heartbeat. */
  publishCallersChanged(change?: { users?: string[]; vaults?: string[]; all?: boolean }): void;
}

export async function fakeAuth(options: MessagingOptions): Promise<FakeAuth> {
  const service = await fakeService(options);
  return {
    ...service,
    publishCallersChanged: ({ users = [], vaults = [], all = false } = {}) =>
      service.broker.publish(callersChanged, { users, vaults, all }),
  };
}
