import { Controller } from '@nestjs/common';
import { logLevelChanged, setLogLevel } from '@millrace/contracts/auth/admin/log-level';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { writeAdminAudit } from './audit/write-admin-audit.js';

const MINUTE_MS = 60_000;

@Controller()
export class LogLevelController {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
  ) {}

  /** Recorded first, so that nobody can read more in the logs without an entry in the audit log. */
  @OperationHandler(setLogLevel)
  async set({ body }: Input<typeof setLogLevel>, context: Context): Promise<Result<typeof setLogLevel>> {
    const { service, level, minutes } = body;
    const change = { service, level, until: new Date(Date.now() + minutes * MINUTE_MS).toISOString() };
    await this.database.transaction(async (tx) => {
      const target = { type: 'service', id: service } as const;
      await writeAdminAudit(tx, { action: 'log_level.changed', target, details: { level, minutes } }, context);
    });
    this.broker.publish(logLevelChanged, change);
    return change;
  }
}
