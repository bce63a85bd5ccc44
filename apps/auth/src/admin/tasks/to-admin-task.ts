import type { z } from 'zod';
import { type adminTask, TASK_SERVICES } from '@millrace/contracts/auth/admin/admin-tasks';
import type { AdminTask, AdminTaskPart } from '@millrace/persistence/generated/client';

type Task = z.input<typeof adminTask>;
type Part = Task['parts'][number];
export type TaskRow = AdminTask & { parts: AdminTaskPart[] };

export function toAdminTask(row: TaskRow): Task {
  const order = (service: string) => (TASK_SERVICES as readonly string[]).indexOf(service);
  const parts = row.parts.toSorted((a, b) => order(a.service) - order(b.service)).map(toPart);
  return {
    id: row.id,
    kind: row.kind as Task['kind'],
    state: stateOf(row),
    violations: parts.flatMap(({ findings }) => findings).filter(({ status }) => status === 'violated').length,
    parts,
    created_date: row.createdAt.toISOString(),
    ...(row.finishedAt && { finished_date: row.finishedAt.toISOString() }),
  };
}

function stateOf({ cancelledAt, finishedAt, parts }: TaskRow): Task['state'] {
  if (cancelledAt) return 'cancelled';
  if (!finishedAt) return 'running';
  return parts.some(({ state }) => state === 'failed') ? 'failed' : 'done';
}

const toPart = ({ service, state, done, total, findings, error }: AdminTaskPart): Part => ({
  ...{ service: service as Part['service'], state: state as Part['state'], done, total },
  findings: findings as Part['findings'],
  ...(error !== null && { error }),
});
