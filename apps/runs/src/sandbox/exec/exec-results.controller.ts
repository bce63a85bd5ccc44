import { Controller, Inject } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { claimExec, finishExec, type WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { ContentsGoneError } from '@millrace/persistence/contents-gone-error';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SandboxSession } from '@millrace/persistence/generated/client';
import { parseWorkerBody } from '../../workers/worker-requests.js';
import { SANDBOX_TIMES, type SandboxTimes } from '../sessions/sandbox-times.js';
import { changeWorkspace, lockWorkspace, WorkspaceFullError } from '../workspace/change-workspace.js';
import { findDisplaced } from '../workspace/find-displaced.js';
import { recordStoredBytes, remainingStorage } from '../workspace/storage-quota.js';

type FinishedExec = Input<typeof finishExec>['body'];
type FinishResult = Result<typeof finishExec>;

const NOT_CLAIMED = { taken: false, revision: 0, entries: null, mayStore: 0 };

/** Handles the reports of workers on commands. */
@Controller()
export class SandboxExecResultsController {
  constructor(
    private readonly database: Database,
    @Inject(SANDBOX_TIMES) private readonly times: SandboxTimes,
  ) {}

  /** Claiming twice from the same worker has the same result. */
  @OperationHandler(claimExec)
  claim({ body }: Input<typeof claimExec>): Promise<Result<typeof claimExec>> {
    const { session: id, exec, worker, revision: knownRevision } = parseWorkerBody(claimExec, body);
    return this.database.transaction(async (tx) => {
      const session = await tx.sandboxSession.findFirst({ where: { id, execId: exec, worker } });
      if (!session) return NOT_CLAIMED;
      const { revision } = await lockWorkspace(tx, session.workspaceId);
      const claimed = await tx.sandboxSession.updateMany({
        where: { id, execId: exec, worker },
        data: { execTaken: true, execBase: revision, execSeenAt: new Date(), status: 'running' },
      });
      if (claimed.count === 0) return NOT_CLAIMED;
      return {
        taken: true,
        revision,
        entries: revision === knownRevision ? null : await readEntries(tx, session.workspaceId),
        mayStore: await remainingStorage(tx, session),
      };
    });
  }

  @OperationHandler(finishExec)
  async finish({ body }: Input<typeof finishExec>): Promise<FinishResult> {
    const finished = parseWorkerBody(finishExec, body);
    const stored = finished.changed.reduce((sum, { size }) => sum + size, 0);
    try {
      return await this.database.transaction((tx) => this.apply(tx, finished, stored));
    } catch (error) {
      const problem = describeRefusal(error);
      if (problem === null) throw error;
      await this.database.transaction((tx) => this.apply(tx, { ...finished, changed: [], removed: [] }, stored));
      return { saved: false, problem, revision: null };
    }
  }

  private async apply(
    tx: Transaction,
    { session: id, exec, worker, changed, removed }: FinishedExec,
    stored: number,
  ): Promise<FinishResult> {
    await tx.$executeRaw`SELECT 1 FROM runs.sandbox_session WHERE id = ${id}::uuid FOR UPDATE`;
    const session = await tx.sandboxSession.findUnique({ where: { id } });
    if (session?.settledExec === exec) return { saved: true, revision: null };
    if (session) await recordStoredBytes(tx, session, stored);
    if (session?.execId !== exec || session.worker !== worker) {
      return { saved: false, problem: 'the session was stopped, or continued on another worker', revision: null };
    }
    const workspace = await lockWorkspace(tx, session.workspaceId);
    // The worker does not know files that were written in the meantime, and its report is not trusted.
    const displaced = changed.length === 0 ? [] : findDisplaced(await readPaths(tx, workspace.id), changed);
    const revision = await changeWorkspace(tx, workspace, { changed, removed: [...removed, ...displaced] });
    await this.releaseSession(tx, session, exec);
    return { saved: true, revision: session.execBase === workspace.revision ? revision : null };
  }

  private async releaseSession(tx: Transaction, { id }: SandboxSession, exec: string): Promise<void> {
    await tx.$executeRaw`
      UPDATE runs.sandbox_session SET exec_id = NULL, settled_exec = ${exec}::uuid, last_active_at = now(),
        expires_at = least(ends_at, now() + ${this.times.idleMs}::bigint * interval '1 ms')
      WHERE id = ${id}::uuid`;
  }
}

/** Why the changes of a command cannot be saved; null if it should be reported again. */
function describeRefusal(error: unknown): string | null {
  if (error instanceof WorkspaceFullError) return error.message;
  return error instanceof ContentsGoneError ? 'a file was deleted before it was reported; run the command again' : null;
}

async function readPaths(tx: Transaction, workspaceId: string): Promise<string[]> {
  const entries = await tx.sandboxEntry.findMany({ where: { workspaceId }, select: { path: true } });
  return entries.map(({ path }) => path);
}

async function readEntries(tx: Transaction, workspaceId: string): Promise<WorkspaceEntry[]> {
  const entries = await tx.sandboxEntry.findMany({
    where: { workspaceId },
    omit: { workspaceId: true, modifiedAt: true },
  });
  return entries.map((entry) => ({ ...entry, kind: entry.kind as WorkspaceEntry['kind'] }));
}
