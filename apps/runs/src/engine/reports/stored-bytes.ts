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
    /** Bytes that a vault may store, and that it stores. A vault without a limit is absent. */
    private readonly vaults: Map<string, { quota: number; used: number }>,
  ) {}

  /**
   * @param quota bytes of each vault for which an administrator has set no other; null means no limit. Vaults without a limit
   * cost one small query.
   */
  static async read(tx: Transaction, quota: number | null, runs: Iterable<LockedRun>): Promise<StoredBytes> {
    const vaults = [...new Set([...runs].map(({ row }) => row.vaultId))];
    if (vaults.length === 0) return new StoredBytes(new Map());
    const rows = await tx.$queryRaw<{ vault: string; quota: bigint; bytes: bigint }[]>`
      SELECT v::text AS vault, limited.quota, runs.stored_bytes_of(v) + workflows.file_bytes_of(v) AS bytes
      FROM unnest(${vaults}::uuid[]) AS v, LATERAL (SELECT coalesce(
        (SELECT storage_bytes FROM runs.vault_override WHERE vault_id = v), ${quota}::bigint) AS quota) limited
      WHERE limited.quota IS NOT NULL`;
    const limited = rows.map((row) => [row.vault, { quota: Number(row.quota), used: Number(row.bytes) }] as const);
    return new StoredBytes(new Map(limited));
  }

  /**
   * Counts the result of a step. One that exceeds the quota fails, and its outputs are not kept; its logs are if they fit.
   * @returns the report that counts, and whether it exceeds the quota
   */
  admit({ row }: LockedRun, report: FinishedReport): { report: FinishedReport; exceeds: boolean } {
    const vault = this.vaults.get(row.vaultId);
    if (!vault) return { report, exceeds: false };
    const { quota, used } = vault;
    const [outputs, logs] = [outputBytes(report), logBytes(report)];
    const exceeds = outputs + logs > 0 && used + outputs + logs > quota;
    const keepsLogs = !exceeds || used + logs <= quota;
    vault.used = used + (exceeds ? 0 : outputs) + (keepsLogs ? logs : 0);
    if (!exceeds) return { report, exceeds };
    const { cache: _cache, resultKey: _resultKey, ...rest } = report;
    const problem =
      `the outputs and logs of the step (${outputs + logs} bytes) exceed the storage quota of the vault ` +
      `(${used} of ${quota} bytes are used); delete runs or files`;
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
