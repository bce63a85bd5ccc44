import { Injectable } from '@nestjs/common';
import { readPart } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { Processes } from '@millrace/messaging/processes';
import { Database } from '@millrace/persistence/database';
import { Prisma, type LoadPart } from '@millrace/persistence/generated/client';
import { findLarge } from './loads/find-large.js';
import { LoadGuard } from './loads/guard-load.js';
import { knownColumns, shapesOf } from './loads/known-columns.js';
import { noteRead } from './loads/note-read.js';
import type { Format } from './reading/find-format.js';
import type { Encoding } from './reading/open-content.js';
import type { BatchPart, PartProgress } from './staging/read-batch.js';
import { ReadThreads } from './staging/read-threads.js';

const withTable = { dataset: { include: { columns: { orderBy: { number: 'asc' } } } } } as const;

/** Reads parts of a load into a staging table. May be done again, and by two at once: one waits, and finds it done. */
@Injectable()
export class ReadPart {
  constructor(
    private readonly database: Database,
    private readonly threads: ReadThreads,
    private readonly loads: LoadGuard,
  ) {}

  @Processes(readPart)
  async read({ part }: Payload<typeof readPart>): Promise<void> {
    const batch = BigInt(part);
    const first = await this.database.client.loadPart.findUnique({ where: { id: batch } });
    if (first?.status !== 'PENDING') return;
    const load = await this.database.client.load.findUnique({ where: { id: first.loadId }, include: withTable });
    if (load?.status !== 'READING') return;
    const { client } = this.database;
    const [parts, shapes] = await Promise.all([
      client.loadPart.findMany({ where: { batch }, orderBy: { id: 'asc' } }),
      client.loadPart.findMany({ where: { loadId: load.id, shape: { not: Prisma.AnyNull } }, select: { shape: true } }),
    ]);
    const { round } = first;
    const unwanted = new AbortController();
    await this.loads.guard(load, async () => {
      const staged = shapesOf(shapes);
      const known = knownColumns(load.dataset, staged, await findLarge(client, load.dataset, staged));
      await this.threads.read(
        { batch: part, round, parts: parts.map(toTask), known },
        {
          signal: unwanted.signal,
          tell: (progress) => void this.tell(progress, round).then((wanted) => wanted || unwanted.abort()),
          note: (result) => this.database.transaction((tx) => noteRead(tx, load, { batch, round }, result)),
        },
      );
    });
  }

  /** What is lost of this is told a second later, or with the end. @returns whether the part is there still */
  private async tell({ part, bytes, rows, rejected }: PartProgress, round: number): Promise<boolean> {
    const { loadPart } = this.database.client;
    const id = BigInt(part);
    const data = { bytesRead: BigInt(bytes), rowsRead: BigInt(rows), rejected: BigInt(rejected) };
    try {
      const { count } = await loadPart.updateMany({ where: { id, round, status: 'PENDING' }, data });
      return count > 0 || (await loadPart.count({ where: { id } })) > 0;
    } catch {
      return true;
    }
  }
}

const toTask = ({ id, path, sha256, format, encoding }: LoadPart): BatchPart => ({
  id: String(id),
  name: path ?? '',
  sha256,
  format: format as Format | null,
  encoding: encoding as Encoding | null,
});
