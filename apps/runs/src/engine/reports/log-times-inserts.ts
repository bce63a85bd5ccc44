import type { FinishedReport } from '@millrace/contracts/runs/report';
import { Prisma, type Subjob } from '@millrace/persistence/generated/client';
import { LOG_TIMES_COLUMNS } from '../rows/table-columns.js';

export interface LogTimesRow {
  runId: bigint;
  subjobId: bigint;
  attempt: number;
  stream: string;
  samples: number[];
}

/** One row for each log of the attempt that was sampled and is kept. */
export const listLogTimes = (
  { id: subjobId, runId, attempt }: Pick<Subjob, 'id' | 'runId' | 'attempt'>,
  { sampledLogs = {}, ...logs }: FinishedReport,
): LogTimesRow[] =>
  (['stdout', 'stderr'] as const).flatMap((stream) => {
    const samples = sampledLogs[stream];
    return samples && logs[stream] ? [{ runId, subjobId, attempt, stream, samples }] : [];
  });

const FIELDS = LOG_TIMES_COLUMNS.fields();
const names = LOG_TIMES_COLUMNS.names(FIELDS);

/** A run of short steps has no such rows, and costs no extra statement. */
export function* insertLogTimes(rows: readonly LogTimesRow[]): Iterable<Prisma.Sql> {
  if (rows.length === 0) return;
  yield Prisma.sql`
    INSERT INTO runs.log_times (${names})
    SELECT ${names} FROM ${LOG_TIMES_COLUMNS.recordset(FIELDS, rows)} ON CONFLICT DO NOTHING`;
}
