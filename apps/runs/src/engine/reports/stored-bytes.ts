import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { LockedRun } from '../transaction/locked-run.js';
import type { VaultQuota } from './read-state.js';

/** Total size of the outputs that a report lists, with their masked copies. */
export const outputBytes = ({ outputs }: Pick<FinishedReport, 'outputs'>): number =>
  'files' in outputs ? outputs.files.reduce((sum, { size, shown }) => sum + size + (shown?.size ?? 0), 0) : 0;

export const logBytes = ({ stdout, stderr }: Pick<FinishedReport, 'stdout' | 'stderr'>): number =>
  (stdout?.size ?? 0) + (stderr?.size ?? 0);

/** What the vaults of a batch of reports store, and whether the results in the reports still fit into their quota. */
export class StoredBytes {
  private readonly vaults: Map<string, { quota: number; used: number }>;

  /** @param quotas a vault without a limit is absent */
  constructor(quotas: readonly VaultQuota[]) {
    this.vaults = new Map(quotas.map(({ vault, quota, used }) => [vault, { quota, used }]));
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
