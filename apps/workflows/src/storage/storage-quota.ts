import { QuotaExceededError } from '@millrace/contracts/workflows/quota-exceeded';
import type { Transaction } from '@millrace/persistence/database';

interface Usage {
  files: number;
  /** Bytes of the files, and of what the runs of the vault store. */
  bytes: number;
  runBytes: number;
  /** Bytes that the vault may store; null means no limit. */
  quota: number | null;
}

interface Row {
  files: bigint | null;
  bytes: bigint;
  runBytes: bigint;
  quota: bigint | null;
}

/**
 * Limits the total size of each vault's files, and of the outputs and logs of its runs: to what an administrator has set for
 * the vault, or to the setting of the installation. A vault over its quota may still replace a file by one that is not
 * larger.
 */
export class StorageQuota {
  /** @param bytes null means no limit */
  constructor(private readonly bytes: number | null) {}

  async usageOf(client: Pick<Transaction, '$queryRaw'>, vaultId: string): Promise<Usage> {
    const [row] = await client.$queryRaw<Row[]>`
      SELECT (SELECT files FROM workflows.storage_usage WHERE vault_id = v) AS files,
        workflows.file_bytes_of(v) AS bytes, runs.stored_bytes_of(v) AS "runBytes",
        coalesce((SELECT storage_bytes FROM workflows.vault_override WHERE vault_id = v), ${this.bytes}::bigint) AS quota
      FROM (SELECT ${vaultId}::uuid AS v) AS vault`;
    const runBytes = Number(row?.runBytes ?? 0);
    const quota = row?.quota ?? null;
    return {
      ...{ files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) + runBytes, runBytes },
      quota: quota === null ? null : Number(quota),
    };
  }

  /** Maximum size, in bytes, of a file that replaces one of the size `replaced`; null means no limit. */
  maxSizeFor(replaced: number, usage: Usage): number | null {
    return usage.quota === null ? null : Math.max(replaced, usage.quota - usage.bytes + replaced);
  }

  /** Call it under the lock of the vault's tree. @throws QuotaExceededError */
  async check(tx: Transaction, vaultId: string, size: number, replaced: number): Promise<void> {
    const usage = await this.usageOf(tx, vaultId);
    if (usage.quota === null) return;
    if (size > (this.maxSizeFor(replaced, usage) ?? Infinity)) {
      throw new QuotaExceededError({ used: usage.bytes, quota: usage.quota });
    }
  }
}
