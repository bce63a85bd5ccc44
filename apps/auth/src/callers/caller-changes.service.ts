import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CALLERS_HEARTBEAT_INTERVAL_MS, callersChanged } from '@millrace/contracts/auth/callers';
import type { Payload } from '@millrace/contracts/kit/event';
import { Broker } from '@millrace/messaging/broker/broker';
import { PgListener } from '@millrace/persistence/pg-listener';
import { AUTH_ENV, type AuthEnv } from '../env.js';

type Change = Payload<typeof callersChanged>;

/** Of the triggers that the migration `access` made. */
const CHANNEL = 'callers_changed';

const NOTHING: Change = { users: [], vaults: [], all: false };

/**
 * Tells gateways what they may no longer believe. Triggers tell each change of a role, a team, a session or a token at its
 * commit, so nobody can forget to; every copy of this service passes on what it hears. It also gives a sign of life, but
 * only while it hears: a gateway that gets none trusts nothing it has kept.
 */
@Injectable()
export class CallerChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly board: PgListener;
  private beat?: NodeJS.Timeout;

  constructor(
    private readonly broker: Broker,
    @Inject(AUTH_ENV) env: AuthEnv,
  ) {
    this.board = new PgListener(env.DATABASE_URL, CHANNEL, {
      onNotification: (payload) => this.tell(readChange(payload)),
      onConnect: () => this.tell({ ...NOTHING, all: true }),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.board.open();
    this.beat = setInterval(() => {
      if (this.board.isListening) this.tell(NOTHING);
    }, CALLERS_HEARTBEAT_INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.beat);
    await this.board.close();
  }

  private tell(change: Change): void {
    if (this.broker.isConnected) this.broker.publish(callersChanged, change);
  }
}

/** `user <id>` or `vault <id>`; what cannot be read concerns everybody. */
function readChange(payload: string): Change {
  const [kind, id = ''] = payload.split(' ');
  if (kind === 'user') return { ...NOTHING, users: [id] };
  if (kind === 'vault') return { ...NOTHING, vaults: [id] };
  return { ...NOTHING, all: true };
}
