import { QuotaExceededError } from '@millrace/contracts/workflows/quota-exceeded';
import type { Transaction } from '@millrace/persistence/database';

interface Usage {
  files: number;
  bytes: number;
}

/** What the files of each vault may take together. A vault that is over it already may still replace by what is no larger. */
export class StorageQuota {
  /** @param bytes null is no limit */
  constructor(readonly bytes: number | null) {}

  async usageOf(client: Pick<Transaction, 'storageUsage'>, vaultId: string): Promise<Usage> {
    const row = await client.storageUsage.findUnique({ where: { vaultId } });
    return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  /** Largest size, in bytes, that a file may have in place of one of the size `replaced`; null is no limit. */
  roomFor(replaced: number, usage: Usage): number | null {
    return this.bytes === null ? null : Math.max(replaced, this.bytes - usage.bytes + replaced);
  }

  /** To be asked under the lock of the vault's tree. @throws QuotaExceededError */
  async check(tx: Transaction, vaultId: string, size: number, replaced: number): Promise<void> {
    if (this.bytes === null) return;
    const usage = await this.usageOf(tx, vaultId);
    if (size > (this.roomFor(replaced, usage) ?? Infinity)) {
      throw new QuotaExceededError({ used: usage.bytes, quota: this.bytes });
    }
  }
}
