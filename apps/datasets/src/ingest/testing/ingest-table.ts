import type { z } from 'zod';
import { getLoad, type listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { appendRows } from '@millrace/contracts/datasets/rows';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { runFinished } from '@millrace/contracts/runs/runs';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk-store';
import { eventually } from '@millrace/testkit/eventually';
import type { CallAs } from '@millrace/testkit/gateway-rpc-client';
import type { SeededDataset } from '../../testing/seed-dataset.js';

type Given = Input<typeof appendRows>['body'];
type Loaded = z.output<(typeof appendRows)['response']>;
type Bound = Result<typeof listBoundOutputs>;

type Emit = (event: typeof runFinished, payload: Payload<typeof runFinished>) => Promise<void>;
type Answer = (envelope: { body: unknown }) => Promise<Bound>;

/** What a test has of the system around the service. */
interface Surroundings {
  /** Of the objects. */
  folder: string;
  callAs: CallAs;
  database: { query<R extends object>(sql: string, values?: unknown[]): Promise<R[]> };
}

export interface PlayedRun {
  workflow: string;
  /** Contents of the outputs of its node `a-1`. */
  outputs: (string | Buffer)[];
  /** The same of other nodes. */
  others?: Record<string, string[]>;
  partial?: boolean;
  /** What it gave is told no sooner. */
  ready?: Promise<void>;
  path?: string;
}

const isOver = ({ status }: Loaded): boolean => status === 'COMPLETED' || status === 'FAILED';

export const jsonLines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

/** Runs that have ended, as the runs service tells of them. */
export class FakeRuns {
  private readonly runs = new Map<string, PlayedRun>();
  private count = 0;
  /** What was asked about outputs. */
  readonly asked: { run: string; module?: boolean }[] = [];

  constructor(
    private readonly system: Pick<Surroundings, 'folder'>,
    private readonly owner: Caller,
    private readonly emit: Emit,
  ) {}

  /** Answers what the service asks about them. */
  readonly answer: Answer = ({ body }) => {
    this.asked.push(body as { run: string });
    return this.list(body as { run: string });
  };

  /** Ends a run; its number is given. */
  async end(run: PlayedRun, status: 'COMPLETED' | 'FAILED' = 'COMPLETED'): Promise<string> {
    const id = this.begin(run);
    await this.tell(id, status);
    return id;
  }

  /** Begins a run, of whose end nobody is told yet. */
  begin(run: PlayedRun): string {
    const id = String(++this.count);
    this.runs.set(id, run);
    return id;
  }

  /** It is gone, with all that it gave. */
  forget(run: string): void {
    this.runs.delete(run);
  }

  async tell(run: string, status: 'COMPLETED' | 'FAILED' = 'COMPLETED'): Promise<void> {
    await this.emit(runFinished, {
      ...{ run, name: 'r', vault: this.owner.vault, space: newId(), workflow: this.runs.get(run)?.workflow ?? newId() },
      ...{ workflowName: 'w', author: this.owner.user, creationType: 'MANUAL', status, durationMs: 1, error: null },
      finishedAt: new Date().toISOString(),
    });
  }

  private async list({ run: id, node = 'a-1' }: { run: string; node?: string }): Promise<Bound> {
    await this.runs.get(id)?.ready;
    const run = this.runs.get(id);
    if (!run) return { run: null, outputs: [], next: null };
    const { workflow, others = {}, partial = false, path = 'output.txt' } = run;
    const store = new DiskStore(this.system.folder);
    const outputs = node === 'a-1' ? run.outputs : (others[node] ?? []);
    const stored = await Promise.all(outputs.map((content) => store.put(Buffer.from(content))));
    return {
      run: { workflow, workflowName: 'w', version: newId(), space: newId(), partial, status: 'COMPLETED' },
      outputs: stored.map((object, at) => ({
        ...{ id: newId(), subjob: String(at + 1), node, taskIndex: at, path, ...object },
      })),
      next: null,
    };
  }
}

/** A table that a test fills. */
export class IngestTable {
  constructor(
    private readonly system: Surroundings,
    private readonly owner: Caller,
    readonly table: SeededDataset,
  ) {}

  query<R extends object>(sql: string, values: unknown[] = []): Promise<R[]> {
    return this.system.database.query<R>(sql.replaceAll('TABLE', `live.d_${this.table.number}`), values);
  }

  /** Binds the output of a node of a workflow to the table, as its source of that number. */
  async bind(workflow: string, source: number, node = 'a-1'): Promise<string> {
    const id = newId();
    await this.query(
      `INSERT INTO datasets.reporting_node (id, vault_id, workflow_id, node_name, output_name, dataset_id, source, author, modified_at)
       VALUES ($1, $2, $3, $7, 'output.txt', $4, $5, $6, now())`,
      [id, this.owner.vault, workflow, this.table.id, source, this.owner.user, node],
    );
    return id;
  }

  /** Uploads rows. @returns the load when it is over, which on a busy machine is after the answer to the upload */
  async append(content: string | Buffer, given: Partial<Given> = {}): Promise<Loaded> {
    const stored = await new DiskStore(this.system.folder).put(Buffer.from(content));
    const body = { format: 'ndjson' as const, encoding: 'identity' as const, ...stored, ...given };
    const { id } = this.table;
    const load = await this.system.callAs(this.owner, appendRows, { params: { id }, body });
    if (isOver(load)) return load;
    const params = { id, loadId: load.id };
    const end = async () => {
      const now = await this.system.callAs(this.owner, getLoad, { params });
      if (!isOver(now)) throw new Error(`The load is still ${now.status}`);
      return now;
    };
    return eventually(end);
  }

  /** The load of a run, when it is over. */
  async load(run: string): Promise<{ status: string; error: string | null; id: string }> {
    const end = async () => {
      const [load] = await this.query<{ status: string; error: string | null; id: string }>(
        "SELECT id::text, status, error FROM datasets.load WHERE run_id = $1 AND dataset_id = $2 AND status IN ('COMPLETED', 'FAILED')",
        [run, this.table.id],
      );
      if (!load) throw new Error(`run ${run} was not read`);
      return load;
    };
    return eventually(end);
  }

  /** How far the load of a run is. */
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

  /** Rows by the names of their columns, in their order. */
  async rows(): Promise<Record<string, unknown>[]> {
    const columns = await this.columns();
    const rows = await this.query<{ row: Record<string, unknown> }>(
      'SELECT to_jsonb(t) AS row FROM TABLE t ORDER BY _id',
    );
    return rows.map(({ row }) => Object.fromEntries(columns.map(({ name, number }) => [name, row[`c${number}`]])));
  }

  /** Staging tables that are left, of all tables. */
  async staged(): Promise<string[]> {
    const left = await this.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relnamespace = 'live'::regnamespace AND relname LIKE 's\\_%'",
    );
    return left.map(({ relname }) => relname);
  }
}
