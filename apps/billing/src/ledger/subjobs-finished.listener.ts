import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { executionUnits } from './execution-units.js';

@Injectable()
export class SubjobsFinishedListener {
  /**
   * Writes the ledger. A subjob's attempt has one entry, whichever events tell of it; entries are never changed, so a
   * second report of the same attempt leaves the first as it stands. In the order of their keys, which keeps two copies
   * at the same entries from locking each other out.
   */
  @Listens(subjobsFinished)
  async addEntries(finished: Payload<typeof subjobsFinished>[], tx: Transaction): Promise<void> {
    const rows = finished
      .flatMap(({ entries }) => entries)
      .map((entry, at) => ({ ...entry, at, units: executionUnits(entry.cpuMs) }));
    await tx.$executeRaw`
      INSERT INTO billing.usage_entry (subjob, attempt, run, vault_id, workflow_id, cpu_ms, units, finished_at)
      SELECT e.subjob, e.attempt, e.run, e.vault, e.workflow, e."cpuMs", e.units, e."finishedAt"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e(
        at int, subjob bigint, attempt int, run bigint, vault uuid, workflow uuid,
        "cpuMs" float8, units int, "finishedAt" timestamptz)
      ORDER BY e.subjob, e.attempt, e.at
      ON CONFLICT (subjob, attempt) DO NOTHING`;
  }
}
