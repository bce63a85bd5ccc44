import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { dropLiveTables, updateIndexes } from '@millrace/contracts/datasets/jobs';
import { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { MIN_INDEX_USES } from '../indexes/index-usage.service.js';
import { RARELY_USED_DAYS, UNUSED_DAYS } from '../indexes/plan-indexes.js';
import { INDEX_NAME_SQL } from './names.js';

const SWEEP_INTERVAL_MS = 3_600_000;

/** Enqueues jobs that update unused or unfinished indexes, and drop tables and columns whose job was lost with Redis. */
@Injectable()
export class SweepLiveTablesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps = new IntervalLoop('Live Table sweep', SWEEP_INTERVAL_MS, () => this.sweep());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.sweeps.start({ immediately: true });
  }

  private async sweep(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const outdated = await tx.$queryRaw<{ dataset: string }[]>`
        SELECT DISTINCT i.dataset_id::text AS dataset FROM datasets.dataset_index i
        JOIN datasets.dataset d ON d.id = i.dataset_id
        WHERE i.last_used_at < now() - ${UNUSED_DAYS}::int * interval '1 day' OR i.state = 'building'
          OR i.state = 'wanted' AND i.uses < ${MIN_INDEX_USES} AND i.last_used_at < now() - ${RARELY_USED_DAYS}::int * interval '1 day'
          OR i.state = 'ready' AND to_regclass('live.' || ${Prisma.raw(INDEX_NAME_SQL)}) IS NULL`;
      for (const { dataset } of outdated) tx.enqueue(updateIndexes, { dataset }, { id: `indexes-${dataset}` });
      const tables = await tx.$queryRaw<{ number: number }[]>`
        SELECT substr(c.relname, 3)::int AS number FROM pg_class c
        WHERE c.relnamespace = 'live'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^d_\\d+$'
          AND NOT EXISTS (SELECT FROM datasets.dataset d WHERE d.number = substr(c.relname, 3)::int)`;
      const columns = await tx.$queryRaw<{ table: number; column: number }[]>`
        SELECT d.number AS "table", substr(a.attname, 2)::int AS "column"
        FROM datasets.dataset d JOIN pg_attribute a ON a.attrelid = to_regclass('live.d_' || d.number)
        WHERE a.attname ~ '^c\\d+$' AND NOT a.attisdropped AND NOT EXISTS (
          SELECT FROM datasets.dataset_column c WHERE c.dataset_id = d.id AND c.number = substr(a.attname, 2)::int)`;
      if (tables.length + columns.length === 0) return;
      tx.enqueue(dropLiveTables, { tables: tables.map(({ number }) => number), columns });
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }
}
