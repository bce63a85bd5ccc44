import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findCached, type CachedResult } from '@millrace/contracts/runs/cache';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import { claimDispatch, parseWorkerBody } from '../workers/worker-requests.js';
import { findReusable } from './find-reusable.js';

/** A stored result; the contract checked its JSON when it was reported. */
type Row = CachedResult & { lastUsedAt: Date };

/** `last_used_at` is written at most this often, so that most hits cost no write. */
const TOUCH_INTERVAL_MS = 60 * 60_000;
/** A longer list of outputs is sent as a manifest, so that a full response stays well below the broker's 1 MiB. */
const MAX_INLINE_CHARACTERS = 4_096;

/** Looks up cached results for a worker. The run decides which space they may come from, never the worker. */
@Controller()
export class FindCachedController {
  constructor(
    private readonly database: Database,
    private readonly outputLists: OutputLists,
  ) {}

  @OperationHandler(findCached)
  async find({ body }: Input<typeof findCached>): Promise<Result<typeof findCached>> {
    const { worker, dispatch, keys } = parseWorkerBody(findCached, body);
    const { id, spaceId, parentRun } = await claimDispatch(this.database, dispatch, worker);
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT e.key, e.subjob_id::text AS subjob, e.exit_code AS "exitCode", e.message, e.outputs, e.stdout, e.stderr,
        e.last_used_at AS "lastUsedAt"
      FROM runs.cache_entry e JOIN runs.run r ON r.id = e.run_id AND r.deleted_at IS NULL
      WHERE e.space_id = ${spaceId}::uuid AND e.key = ANY(${keys}::text[])`;
    await this.touch(spaceId, rows);
    const cached = rows.map(({ lastUsedAt: _, ...row }) => row);
    const known = new Set(cached.map(({ key }) => key));
    const others = keys.filter((key) => !known.has(key));
    const reusable = parentRun === null || others.length === 0 ? [] : await findReusable(this.database, id, others);
    return { found: await Promise.all([...cached, ...reusable].map((row) => this.shorten(row))) };
  }

  /** Skips entries that another transaction is writing: that transaction marks them as used. */
  private async touch(spaceId: string, rows: Row[]): Promise<void> {
    const due = rows
      .filter(({ lastUsedAt }) => Date.now() - lastUsedAt.getTime() > TOUCH_INTERVAL_MS)
      .map(({ key }) => key);
    if (due.length === 0) return;
    await this.database.client.$executeRaw`
      UPDATE runs.cache_entry SET last_used_at = now() WHERE space_id = ${spaceId}::uuid AND key = ANY(ARRAY(
        SELECT key FROM runs.cache_entry WHERE space_id = ${spaceId}::uuid AND key = ANY(${due}::text[])
        FOR UPDATE SKIP LOCKED))`;
  }

  private async shorten(row: CachedResult): Promise<CachedResult> {
    const { outputs } = row;
    if (!('files' in outputs) || JSON.stringify(outputs).length <= MAX_INLINE_CHARACTERS) return row;
    return { ...row, outputs: await this.outputLists.storeManifest(outputs.files) };
  }
}
