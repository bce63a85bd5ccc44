import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople, type VaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

export interface SystemBesideNotifications extends System {
  notifications: FakeService;
  newVault(): Promise<VaultOfPeople>;
}

/** Starts auth and calls it as the notifications service. */
export async function startBesideNotifications(): Promise<SystemBesideNotifications> {
  const system = await startApps([start]);
  const mailbox = system.openMailbox();
  return {
    ...system,
    notifications: await system.fake('notifications'),
    newVault: () => vaultOfPeople(system, mailbox),
  };
}
