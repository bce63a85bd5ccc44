import { Injectable } from '@nestjs/common';
import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { dropColumn, dropTables } from './table-ddl.js';

/**
 * Drops physical tables and columns that no record refers to. DROP waits for readers, and later readers wait for
 * DROP, so it times out soon and the job retries.
 */
@Injectable()
export class DropLiveTablesJob {
  constructor(private readonly database: Database) {}

  @JobProcessor(dropLiveTables)
  async drop({ tables, columns }: Payload<typeof dropLiveTables>): Promise<void> {
    const drops = [
      ...tables.map((table) => () => this.dropTables(table)),
      ...columns.map(({ table, column }) => {
        return () => this.dropColumn(table, column);
      }),
    ];
    const failures: unknown[] = [];
    for (const drop of drops) await drop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async dropTables(number: number): Promise<void> {
    const references = await this.database.client.dataset.count({ where: { number } });
    if (references === 0) await this.run(dropTables(number));
  }

  private async dropColumn(table: number, column: number): Promise<void> {
    const where = { number: column, dataset: { number: table } };
    const references = await this.database.client.datasetColumn.count({ where });
    if (references === 0) await this.run([dropColumn(table, column)]);
  }

  private async run(statements: Prisma.Sql[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL lock_timeout = '2s'`;
      for (const statement of statements) await tx.$executeRaw(statement);
    });
  }
}
