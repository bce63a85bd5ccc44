import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CALLERS_BEAT_MS, callersChanged } from '@millrace/contracts/auth/callers';
import type { Payload } from '@millrace/contracts/kit/event';
import { Broker } from '@millrace/messaging/broker';
import { NoticeBoard } from '@millrace/persistence/notice-board';
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
  private readonly board: NoticeBoard;
  private beat?: NodeJS.Timeout;

  constructor(
    private readonly broker: Broker,
    @Inject(AUTH_ENV) env: AuthEnv,
  ) {
    this.board = new NoticeBoard(env.DATABASE_URL, CHANNEL, {
      told: (payload) => this.tell(readChange(payload)),
      began: () => this.tell({ ...NOTHING, all: true }),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.board.open();
    this.beat = setInterval(() => {
      if (this.board.isListening) this.tell(NOTHING);
    }, CALLERS_BEAT_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.beat);
    await this.board.close();
  }

  private tell(change: Change): void {
    if (this.broker.isConnected) this.broker.tell(callersChanged, change);
  }
}

/** `user <id>` or `vault <id>`; what cannot be read concerns everybody. */
function readChange(payload: string): Change {
  const [kind, id = ''] = payload.split(' ');
  if (kind === 'user') return { ...NOTHING, users: [id] };
  if (kind === 'vault') return { ...NOTHING, vaults: [id] };
  return { ...NOTHING, all: true };
}
