import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { detectTables } from '@millrace/contracts/datasets/jobs';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { ObjectMissingError, type ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../object-stores.js';
import { detectJsonLines } from './detect-json-lines.js';
import { cutSample, upsertDetectedTables, detectedTableKey, type DetectedTable } from './upsert-detected-tables.js';

type BoundOutputs = Result<typeof listBoundOutputs>;
type Output = BoundOutputs['outputs'][number];

/** Bytes of an output that are examined. */
const EXAMINED_BYTES = 64 * 1024;
/** Outputs of a run that are listed. A distributed node has one for each child, of which the first is examined. */
const MAX_OUTPUTS = 2_000;
const MAX_NAME_LENGTH = 255;
const MAX_CACHED_HASHES = 10_000;

/** Detects which outputs of completed runs are tables: those whose examined lines are all JSON objects. */
@Injectable()
export class DetectTablesJob {
  /** Hashes of contents that are not tables. Most runs produce the same contents as an earlier one. */
  private readonly nonTables = new LRUCache<string, true>({ max: MAX_CACHED_HASHES });

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @JobProcessor(detectTables)
  async detect({ runs }: Payload<typeof detectTables>): Promise<void> {
    for (const { run, vault } of runs) await this.detectInRun(run, vault);
  }

  private async detectInRun(id: string, vault: string): Promise<void> {
    const { run, outputs } = await this.listOutputs(id, vault);
    if (run?.status !== 'COMPLETED') return;
    const tables: DetectedTable[] = [];
    for (const output of outputs) {
      const table = await this.examine(output);
      if (table) tables.push(table);
    }
    if (tables.length === 0) return;
    const source = { vaultId: vault, workflowId: run.workflow, workflowName: run.workflowName, run: id };
    try {
      await this.database.transaction(async (tx) => void (await upsertDetectedTables(tx, source, tables)));
    } catch (error) {
      // The workflow was deleted in the meantime.
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  /** Lists the first output of each node and path that is not empty. */
  private async listOutputs(id: string, vault: string): Promise<{ run: BoundOutputs['run']; outputs: Output[] }> {
    const firsts = new Map<string, Output>();
    let run: BoundOutputs['run'] = null;
    let after: string | null | undefined;
    for (let count = 0; after !== null && count < MAX_OUTPUTS;) {
      const body = { run: id, vault, limit: 1000, ...(after !== undefined && { after }) };
      const page = await this.rpc.call(listBoundOutputs, body, { caller: null });
      run = page.run;
      for (const output of page.outputs.filter(({ size }) => size > 0)) {
        const key = detectedTableKey({ nodeName: output.node, outputName: output.path });
        if (!firsts.has(key)) firsts.set(key, output);
      }
      count += page.outputs.length;
      after = page.next;
    }
    return { run, outputs: [...firsts.values()] };
  }

  private async examine({ node, path, sha256, size }: Output): Promise<DetectedTable | null> {
    if (this.nonTables.has(sha256)) return null;
    const text = await this.readText(sha256, size);
    if (text === null) return null;
    const table = detectJsonLines(text, size <= EXAMINED_BYTES);
    if (!table) {
      this.nonTables.set(sha256, true);
      return null;
    }
    const name = (path === 'output.txt' ? node : `${node} ${path}`).slice(0, MAX_NAME_LENGTH).toWellFormed();
    return { name, nodeName: node, outputName: path, columns: table.columns, sample: cutSample(table.sample) };
  }

  /** @returns null if the output was deleted with its run in the meantime */
  private async readText(sha256: string, size: number): Promise<string | null> {
    try {
      return (await this.store.readAll(sha256, { start: 0, end: Math.min(size, EXAMINED_BYTES) - 1 })).toString('utf8');
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }
}
