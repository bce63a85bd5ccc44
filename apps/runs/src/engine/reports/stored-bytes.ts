import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';

/** Total size of the outputs that a report lists, with their masked copies. */
export const outputBytes = ({ outputs }: Pick<FinishedReport, 'outputs'>): number =>
  'files' in outputs ? outputs.files.reduce((sum, { size, shown }) => sum + size + (shown?.size ?? 0), 0) : 0;

export const logBytes = ({ stdout, stderr }: Pick<FinishedReport, 'stdout' | 'stderr'>): number =>
  (stdout?.size ?? 0) + (stderr?.size ?? 0);

/** What the vaults of a batch of reports store, and whether the results in the reports still fit into their quota. */
export class StoredBytes {
  private constructor(
    private readonly quota: number | null,
    private readonly used: Map<string, number>,
  ) {}

  /** @param quota bytes of each vault; null means no limit, and costs nothing */
  static async read(tx: Transaction, quota: number | null, runs: Iterable<LockedRun>): Promise<StoredBytes> {
    const vaults = quota === null ? [] : [...new Set([...runs].map(({ row }) => row.vaultId))];
    if (vaults.length === 0) return new StoredBytes(quota, new Map());
    const rows = await tx.$queryRaw<{ vault: string; bytes: bigint }[]>`
      SELECT v::text AS vault, runs.stored_bytes_of(v) + workflows.file_bytes_of(v) AS bytes
      FROM unnest(${vaults}::uuid[]) AS v`;
    return new StoredBytes(quota, new Map(rows.map(({ vault, bytes }) => [vault, Number(bytes)])));
  }

  /**
   * Counts the result of a step. One that exceeds the quota fails, and its outputs are not kept; its logs are if they fit.
   * @returns the report that counts, and whether it exceeds the quota
   */
  admit({ row }: LockedRun, report: FinishedReport): { report: FinishedReport; exceeds: boolean } {
    const used = this.used.get(row.vaultId);
    if (this.quota === null || used === undefined) return { report, exceeds: false };
    const [outputs, logs] = [outputBytes(report), logBytes(report)];
    const exceeds = outputs + logs > 0 && used + outputs + logs > this.quota;
    const keepsLogs = !exceeds || used + logs <= this.quota;
    this.used.set(row.vaultId, used + (exceeds ? 0 : outputs) + (keepsLogs ? logs : 0));
    if (!exceeds) return { report, exceeds };
    const { cache: _cache, resultKey: _resultKey, ...rest } = report;
    const problem =
      `the outputs and logs of the step (${outputs + logs} bytes) exceed the storage quota of the vault ` +
      `(${used} of ${this.quota} bytes are used); delete runs or files`;
    return {
      exceeds,
      report: {
        ...rest,
        outcome: report.outcome === 'succeeded' ? 'failed' : report.outcome,
        message: report.message === null ? problem : `${report.message}; ${problem}`,
        ...{ outputs: { files: [] }, split: null },
        ...(!keepsLogs && { stdout: null, stderr: null }),
      },
    };
  }
}
