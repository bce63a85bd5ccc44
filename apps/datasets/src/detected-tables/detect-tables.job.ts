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
import { OBJECT_STORE } from '../object-store.js';
import { cutSample } from './cut-sample.js';
import { detectJsonLines } from './detect-json-lines.js';
import { upsertDetectedTables, keyOf, type DetectedTable } from './upsert-detected-tables.js';

type Bound = Result<typeof listBoundOutputs>;
type Output = Bound['outputs'][number];

/** Bytes of an output that are looked at. */
const HEAD = 64 * 1024;
/** Outputs of a run that are looked through; a node that is distributed has one a child, of which the first counts. */
const MAX_OUTPUTS = 2_000;
const NAME_LENGTH = 255;
const MAX_REMEMBERED = 10_000;

/** Looks which outputs of a completed run are tables: those whose lines are all JSON objects, as far as they are read. */
@Injectable()
export class DetectTablesJob {
  /** Contents that are no tables, by their hash: most runs give again what an earlier one gave. */
  private readonly noTables = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @JobProcessor(detectTables)
  async detect({ runs }: Payload<typeof detectTables>): Promise<void> {
    for (const { run, vault } of runs) await this.detectIn(run, vault);
  }

  private async detectIn(run: string, vault: string): Promise<void> {
    const { about, outputs } = await this.listOutputs(run, vault);
    if (about?.status !== 'COMPLETED') return;
    const tables: DetectedTable[] = [];
    for (const output of outputs) {
      const table = await this.look(output);
      if (table) tables.push(table);
    }
    if (tables.length === 0) return;
    const seen = { vaultId: vault, workflowId: about.workflow, workflowName: about.workflowName, run };
    try {
      await this.database.transaction(async (tx) => void (await upsertDetectedTables(tx, seen, tables)));
    } catch (error) {
      // The workflow was deleted meanwhile.
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  /** The first output of each node and path that holds anything. */
  private async listOutputs(run: string, vault: string): Promise<{ about: Bound['run']; outputs: Output[] }> {
    const firsts = new Map<string, Output>();
    let about: Bound['run'] = null;
    let after: string | null | undefined;
    for (let seen = 0; after !== null && seen < MAX_OUTPUTS;) {
      const body = { run, vault, limit: 1000, ...(after !== undefined && { after }) };
      const page = await this.rpc.call(listBoundOutputs, body, { caller: null, requestId: `detect-${run}` });
      about = page.run;
      for (const output of page.outputs.filter(({ size }) => size > 0)) {
        const key = keyOf({ nodeName: output.node, outputName: output.path });
        if (!firsts.has(key)) firsts.set(key, output);
      }
      seen += page.outputs.length;
      after = page.next;
    }
    return { about, outputs: [...firsts.values()] };
  }

  private async look({ node, path, sha256, size }: Output): Promise<DetectedTable | null> {
    if (this.noTables.has(sha256)) return null;
    const text = await this.readText(sha256, size);
    if (text === null) return null;
    const head = detectJsonLines(text, size <= HEAD);
    if (!head) {
      this.noTables.set(sha256, true);
      return null;
    }
    const name = (path === 'output.txt' ? node : `${node} ${path}`).slice(0, NAME_LENGTH).toWellFormed();
    return { name, nodeName: node, outputName: path, columns: head.columns, sample: cutSample(head.sample) };
  }

  /** @returns null where it is not there any more: its run was deleted meanwhile */
  private async readText(sha256: string, size: number): Promise<string | null> {
    try {
      return (await this.store.readAll(sha256, { start: 0, end: Math.min(size, HEAD) - 1 })).toString('utf8');
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }
}
