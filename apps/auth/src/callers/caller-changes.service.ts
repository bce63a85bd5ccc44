import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CALLERS_HEARTBEAT_INTERVAL_MS, callersChanged } from '@millrace/contracts/auth/callers';
import type { Payload } from '@millrace/contracts/kit/event';
import { Broker } from '@millrace/messaging/broker/broker';
import { Database } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';

type Change = Payload<typeof callersChanged>;

/** The Postgres channel of the triggers that the migration `access` created. */
const CALLERS_CHANNEL = 'callers_changed';

const NO_CHANGE: Change = { users: [], vaults: [], all: false };

/**
 * Notifies gateways of changed callers, so that they drop them from their cache. Database triggers notify each change of a
 * role, team, session or token at its commit, so no code path can forget it. Every copy of this service forwards the
 * notifications. It also sends a heartbeat while it receives them; without heartbeats, gateways ignore their cache.
 */
@Injectable()
export class CallerChangesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listener: PgListener;
  private heartbeat?: NodeJS.Timeout;

  constructor(
    private readonly broker: Broker,
    database: Database,
  ) {
    this.listener = database.createListener(CALLERS_CHANNEL, {
      onNotification: (payload) => this.notifyGateways(readChange(payload)),
      onConnect: () => this.notifyGateways({ ...NO_CHANGE, all: true }),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.open();
    this.heartbeat = setInterval(() => {
      if (this.listener.isListening) this.notifyGateways(NO_CHANGE);
    }, CALLERS_HEARTBEAT_INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.heartbeat);
    await this.listener.close();
  }

  private notifyGateways(change: Change): void {
    if (this.broker.isConnected) this.broker.publish(callersChanged, change);
  }
}

/** Parses `user <id>` or `vault <id>`. Any other payload counts as a change of all callers. */
function readChange(payload: string): Change {
  const [kind, id = ''] = payload.split(' ');
  if (kind === 'user') return { ...NO_CHANGE, users: [id] };
  if (kind === 'vault') return { ...NO_CHANGE, vaults: [id] };
  return { ...NO_CHANGE, all: true };
}
