import type { z } from 'zod';
import { getLoad, type listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { appendRows } from '@millrace/contracts/datasets/rows';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { runFinished } from '@millrace/contracts/runs/runs';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { eventually } from '@millrace/testkit/eventually';
import type { CallAs } from '@millrace/testkit/gateway-rpc-client';
import type { SeededDataset } from '../../testing/seed-dataset.js';

type AppendRowsBody = Input<typeof appendRows>['body'];
type LoadBody = z.output<(typeof appendRows)['response']>;
type BoundOutputs = Result<typeof listBoundOutputs>;

type Emit = (event: typeof runFinished, payload: Payload<typeof runFinished>) => Promise<void>;
type Respond = (envelope: { body: unknown }) => Promise<BoundOutputs>;

/** The parts of a test system that these helpers need. */
interface TestSystem {
  /** Folder of the object store. */
  folder: string;
  callAs: CallAs;
  database: { query<R extends object>(sql: string, values?: unknown[]): Promise<R[]> };
}

export interface FakeRun {
  workflow: string;
  /** Contents of the outputs of the node `a-1`. */
  outputs: (string | Buffer)[];
  /** Contents of the outputs of other nodes. */
  others?: Record<string, string[]>;
  partial?: boolean;
  /** Its status while its outputs are listed; COMPLETED by default. */
  status?: string;
  /** Its revision while its outputs are listed; 0 by default. */
  revision?: number;
  /** False if subjobs of the bound node failed. */
  complete?: boolean;
  /** Its outputs are listed only after this resolves. */
  ready?: Promise<void>;
  path?: string;
  /** A new space by default. */
  space?: string;
}

const isFinished = ({ status }: LoadBody): boolean => status === 'COMPLETED' || status === 'FAILED';

export const jsonLines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

/** Plays the runs service: publishes finished runs and lists their outputs. */
export class FakeRuns {
  private readonly runs = new Map<string, FakeRun>();
  private count = 0;
  /** Received requests for outputs. */
  readonly requests: { run: string; module?: boolean }[] = [];

  constructor(
    private readonly system: Pick<TestSystem, 'folder'>,
    private readonly owner: Caller,
    private readonly emit: Emit,
  ) {}

  /** Responds to a request for the outputs of a run. */
  readonly respond: Respond = ({ body }) => {
    this.requests.push(body as { run: string });
    return this.list(body as { run: string });
  };

  /** Starts a run and finishes it. @returns its id */
  async finish(run: FakeRun, status: 'COMPLETED' | 'FAILED' = 'COMPLETED'): Promise<string> {
    const id = this.start(run);
    await this.publishFinished(id, status);
    return id;
  }

  /** Starts a run without publishing its end. @returns its id */
  start(run: FakeRun): string {
    const id = String(++this.count);
    this.runs.set(id, run);
    return id;
  }

  /** Deletes a run with its outputs. */
  delete(run: string): void {
    this.runs.delete(run);
  }

  /** Changes a run as a retry does. Its end is not published. @returns its revision */
  retry(run: string, change: Partial<FakeRun>): number {
    const former = this.runs.get(run);
    if (!former) throw new Error(`Run ${run} does not exist`);
    const retried = { ...former, revision: (former.revision ?? 0) + 1, ...change };
    this.runs.set(run, retried);
    return retried.revision;
  }

  async publishFinished(
    run: string,
    status: 'COMPLETED' | 'FAILED' | 'STOPPED' = 'COMPLETED',
    revision = this.runs.get(run)?.revision ?? 0,
  ): Promise<void> {
    await this.emit(runFinished, {
      revision,
      ...{ run, name: 'r', vault: this.owner.vault, space: newId(), workflow: this.runs.get(run)?.workflow ?? newId() },
      ...{ workflowName: 'w', author: this.owner.user, creationType: 'MANUAL', status, durationMs: 1, error: null },
      finishedAt: new Date().toISOString(),
    });
  }

  private async list({ run: id, node = 'a-1' }: { run: string; node?: string }): Promise<BoundOutputs> {
    await this.runs.get(id)?.ready;
    const run = this.runs.get(id);
    if (!run) return { run: null, outputs: [], next: null };
    const { workflow, others = {}, partial = false, path = 'output.txt', status = 'COMPLETED', revision = 0 } = run;
    const complete = run.complete ?? status === 'COMPLETED';
    const store = new DiskStore(this.system.folder);
    const outputs = node === 'a-1' ? run.outputs : (others[node] ?? []);
    const stored = await Promise.all(outputs.map((content) => store.put(Buffer.from(content))));
    return {
      run: {
        workflow,
        workflowName: 'w',
        version: newId(),
        space: run.space ?? newId(),
        partial,
        status,
        revision,
        complete,
      },
      outputs: stored.map((object, at) => ({
        ...{ id: newId(), subjob: String(at + 1), node, taskIndex: at, path, ...object },
      })),
      next: null,
    };
  }
}

/** A Live Table that a test fills. */
export class IngestTable {
  constructor(
    private readonly system: TestSystem,
    private readonly owner: Caller,
    readonly table: SeededDataset,
  ) {}

  query<R extends object>(sql: string, values: unknown[] = []): Promise<R[]> {
    return this.system.database.query<R>(sql.replaceAll('TABLE', `live.d_${this.table.number}`), values);
  }

  /** Binds the output of a workflow's node to the table as the source with this number. @returns id of the reporting node */
  async bind(workflow: string, source: number, node = 'a-1'): Promise<string> {
    const id = newId();
    await this.query(
      `INSERT INTO datasets.reporting_node (id, vault_id, workflow_id, node_name, output_name, dataset_id, source, author, modified_at)
       VALUES ($1, $2, $3, $7, 'output.txt', $4, $5, $6, now())`,
      [id, this.owner.vault, workflow, this.table.id, source, this.owner.user, node],
    );
    return id;
  }

  /** Uploads rows. @returns the finished load, which on a busy machine may finish after the response to the upload */
  async append(content: string | Buffer, options: Partial<AppendRowsBody> = {}): Promise<LoadBody> {
    const stored = await new DiskStore(this.system.folder).put(Buffer.from(content));
    const body = { format: 'ndjson' as const, encoding: 'identity' as const, ...stored, ...options };
    const { id } = this.table;
    const load = await this.system.callAs(this.owner, appendRows, { params: { id }, body });
    if (isFinished(load)) return load;
    const params = { id, loadId: load.id };
    const readFinished = async () => {
      const now = await this.system.callAs(this.owner, getLoad, { params });
      if (!isFinished(now)) throw new Error(`The load is still ${now.status}`);
      return now;
    };
    return eventually(readFinished);
  }

  /** Waits until the load of a run is finished. */
  async load(run: string, revision = 0): Promise<{ status: string; error: string | null; id: string }> {
    const readFinished = async () => {
      const [load] = await this.query<{ status: string; error: string | null; id: string }>(
        `SELECT id::text, status, error FROM datasets.load
         WHERE run_id = $1 AND dataset_id = $2 AND revision = $3 AND status IN ('COMPLETED', 'FAILED')`,
        [run, this.table.id, revision],
      );
      if (!load) throw new Error(`The load of run ${run} is not finished`);
      return load;
    };
    return eventually(readFinished);
  }

  /** Status of the load of a run. */
  async status(run: string): Promise<string | undefined> {
    const [load] = await this.query<{ status: string }>(
      'SELECT status FROM datasets.load WHERE run_id = $1 AND dataset_id = $2',
      [run, this.table.id],
    );
    return load?.status;
  }

  columns(): Promise<{ name: string; type: string; number: number }[]> {
    return this.query('SELECT name, type, number FROM datasets.dataset_column WHERE dataset_id = $1 ORDER BY number', [
      this.table.id,
    ]);
  }

  async types(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.columns()).map(({ name, type }) => [name, type]));
  }

  /** Rows in their order, with the names of the columns. */
  async rows(): Promise<Record<string, unknown>[]> {
    const columns = await this.columns();
    const rows = await this.query<{ row: Record<string, unknown> }>(
      'SELECT to_jsonb(t) AS row FROM TABLE t ORDER BY _id',
    );
    return rows.map(({ row }) => Object.fromEntries(columns.map(({ name, number }) => [name, row[`c${number}`]])));
  }

  /** Staging tables that exist, of all Live Tables. */
  async staged(): Promise<string[]> {
    const tables = await this.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relnamespace = 'live'::regnamespace AND relname LIKE 's\\_%'",
    );
    return tables.map(({ relname }) => relname);
  }
}
