import { Prisma } from '@millrace/persistence/generated/client';
import type { ReportedDispatch } from './read-state.js';

/** The dispatches that reports are about, and their changes: claimed by a worker, or closed. */
export class DispatchWrites {
  private readonly open: Map<string, ReportedDispatch>;
  private readonly claimed = new Map<bigint, string>();
  private readonly closed = new Set<bigint>();

  constructor(dispatches: ReportedDispatch[]) {
    this.open = new Map(dispatches.map((dispatch) => [String(dispatch.id), dispatch]));
  }

  /** The open dispatch, if it belongs to the worker. A dispatch that no worker has belongs to this one from now on. */
  claim(id: string, worker: string): ReportedDispatch | undefined {
    const dispatch = this.open.get(id);
    if (!dispatch || (dispatch.worker !== null && dispatch.worker !== worker)) return undefined;
    if (dispatch.worker === null) this.claimed.set(dispatch.id, worker);
    dispatch.worker = worker;
    return dispatch;
  }

  close(dispatch: ReportedDispatch): void {
    this.closed.add(dispatch.id);
    this.open.delete(String(dispatch.id));
  }

  *statements(): Iterable<Prisma.Sql> {
    const claimed = [...this.claimed].filter(([id]) => !this.closed.has(id));
    if (claimed.length > 0) {
      yield Prisma.sql`
        UPDATE runs.dispatch AS d SET worker = c.worker, claimed_at = now()
        FROM unnest(${claimed.map(([id]) => String(id))}::bigint[], ${claimed.map(([, worker]) => worker)}::text[]) AS c(id, worker)
        WHERE d.id = c.id`;
    }
    if (this.closed.size > 0) {
      yield Prisma.sql`DELETE FROM runs.dispatch WHERE id = ANY(${[...this.closed].map(String)}::bigint[])`;
    }
  }
}
