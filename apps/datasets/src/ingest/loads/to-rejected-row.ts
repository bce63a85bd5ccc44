import type { listRejected } from '@millrace/contracts/datasets/loads';
import type { Result } from '@millrace/contracts/kit/operation';
import type { RejectedRow } from '@millrace/persistence/generated/client';

type Found = RejectedRow & {
  load: { runId: bigint | null };
  part: { subjobId: bigint | null; outputId: string | null };
};

export function toRejectedRow(row: Found): Result<typeof listRejected>['results'][number] {
  const { runId } = row.load;
  const { subjobId, outputId } = row.part;
  return {
    load: String(row.loadId),
    ...(runId !== null && { run: String(runId) }),
    ...(subjobId !== null && { subjob: String(subjobId) }),
    ...(outputId !== null && { output: outputId }),
    line: Number(row.line),
    reason: row.reason,
    text: row.text,
    created_date: row.createdAt.toISOString(),
  };
}
