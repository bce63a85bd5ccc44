import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../object-store.js';
import { armCondemned, fenceArmed } from './arm-condemned.js';
import { checkArmed } from './check-armed.js';
import { condemnReleased } from './condemn-released.js';
import { deleteContents } from './delete-contents.js';
import { foldStoredChanges } from './fold-stored-changes.js';
import { forgetGone } from './forget-gone.js';
import { sweepStore } from './sweep-store.js';

/** Injection token: seconds after which a condemned object is checked. */
export const CONTENT_GRACE_SECONDS = Symbol('CONTENT_GRACE_SECONDS');

const INTERVAL_MS = 10_000;

/**
 * Deletes stored objects that nothing refers to (docs/decisions/0019). Every step is one short transaction that skips what
 * others have locked, so all copies of the service collect at the same time, and each may be killed at any point.
 */
@Injectable()
export class ContentsCollector implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ContentsCollector.name);
  private readonly loop = new IntervalLoop('Collection of contents', INTERVAL_MS, () => this.collect(), this.logger);
  private readonly sweepLoop = new IntervalLoop('Search for unknown contents', INTERVAL_MS, () => this.sweep());
  private isStopping = false;

  constructor(
    private readonly database: Database,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(CONTENT_GRACE_SECONDS) private readonly graceSeconds: number,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
    this.sweepLoop.start();
  }

  /** One iteration of each step, until nothing is left for it to do. */
  async collect(): Promise<void> {
    const { database } = this;
    await this.repeat(() => foldStoredChanges(database));
    const released = await this.repeat(() => condemnReleased(database));
    await this.repeat(() => armCondemned(database, this.graceSeconds));
    await this.repeat(() => fenceArmed(database));
    const checked = await this.repeat(() => checkArmed(database));
    let bytes = 0;
    const deleted = await this.repeat(async () => {
      const { objects, bytes: size } = await deleteContents(database, this.store);
      bytes += size;
      return objects;
    });
    await this.repeat(() => forgetGone(database));
    if (released + checked + deleted > 0) {
      this.logger.log({ message: 'Contents collected', released, checked, deleted, bytes });
    }
  }

  async sweep(): Promise<void> {
    const condemned = await sweepStore(this.database, this.store);
    if (condemned) this.logger.log({ message: 'Contents without a record condemned', condemned });
  }

  /** Repeats a step until it finds nothing, or the service shuts down. @returns the sum of its results */
  private async repeat(step: () => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const count = this.isStopping ? 0 : await step();
      if (count === 0) return total;
      total += count;
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all([this.loop.stop(), this.sweepLoop.stop()]);
  }
}
