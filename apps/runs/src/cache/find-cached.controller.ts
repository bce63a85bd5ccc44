import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findCached, type CachedResult } from '@millrace/contracts/runs/cache';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import { claimDispatch } from '../workers/claim-dispatch.js';
import { parseWorkerBody } from '../workers/parse-worker-body.js';

/** As they are stored: JSON as it was reported, which the contract has checked. */
type Row = CachedResult & { used: Date };

/** `last_used_at` is written at most this often, so that a hit costs no write as a rule. */
const TOUCH_MS = 60 * 60_000;
/** A longer list of outputs is sent as a manifest, so that a full response stays well below the broker's 1 MiB. */
const MAX_INLINE_CHARACTERS = 4_096;

/** Looks up cached results for a worker. Which space they may come from follows from the run, never from the worker. */
@Controller()
export class FindCachedController {
  constructor(
    private readonly database: Database,
    private readonly gathers: OutputLists,
  ) {}

  @OperationHandler(findCached)
  async find({ body }: Input<typeof findCached>): Promise<Result<typeof findCached>> {
    const { worker, dispatch, keys } = parseWorkerBody(findCached, body);
    const { spaceId } = await claimDispatch(this.database, dispatch, worker);
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT key, subjob_id::text AS subjob, exit_code AS "exitCode", message, outputs, stdout, stderr, last_used_at AS used
      FROM runs.cache_entry WHERE space_id = ${spaceId}::uuid AND key = ANY(${keys}::text[])`;
    await this.touch(spaceId, rows);
    return { found: await Promise.all(rows.map(({ used: _, ...row }) => this.shorten(row))) };
  }

  /** Entries that another transaction writes now are in use anyway. */
  private async touch(spaceId: string, rows: Row[]): Promise<void> {
    const due = rows.filter(({ used }) => Date.now() - used.getTime() > TOUCH_MS).map(({ key }) => key);
    if (due.length === 0) return;
    await this.database.client.$executeRaw`
      UPDATE runs.cache_entry SET last_used_at = now() WHERE space_id = ${spaceId}::uuid AND key = ANY(ARRAY(
        SELECT key FROM runs.cache_entry WHERE space_id = ${spaceId}::uuid AND key = ANY(${due}::text[])
        FOR UPDATE SKIP LOCKED))`;
  }

  private async shorten(row: CachedResult): Promise<CachedResult> {
    const { outputs } = row;
    if (!('files' in outputs) || JSON.stringify(outputs).length <= MAX_INLINE_CHARACTERS) return row;
    return { ...row, outputs: await this.gathers.storeManifest(outputs.files) };
  }
}
