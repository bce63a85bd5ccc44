import { Injectable } from '@nestjs/common';
import { retentionChanged } from '@millrace/contracts/auth/retention';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Stores how long runs are kept. Auth owns these limits, but retention must work while auth is away. */
@Injectable()
export class RetentionChangedListener {
  /** Stores the latest limits of each scope. The events may arrive in any order; the highest number is the latest. */
  @EventHandler(retentionChanged)
  async record(changes: Payload<typeof retentionChanged>[], tx: Transaction): Promise<void> {
    const rows = changes.map(({ limits, ...change }) => ({ ...change, ...limits, unset: limits === null }));
    await tx.$executeRaw`
      INSERT INTO runs.retention_policy AS p (scope_id, vault_id, number, unset, days, runs)
      SELECT DISTINCT ON (scope) scope, vault, number, unset, days, runs
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS c(scope uuid, vault uuid, number bigint, unset boolean, days int, runs int)
      ORDER BY scope, number DESC
      ON CONFLICT (scope_id) DO UPDATE
        SET number = excluded.number, unset = excluded.unset, days = excluded.days, runs = excluded.runs, changed_at = now()
        WHERE p.number < excluded.number`;
  }
}
