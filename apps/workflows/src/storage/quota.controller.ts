import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { admitUpload, getStorageUsage } from '@millrace/contracts/workflows/storage';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { readPath } from './read-path.js';
import { StorageQuota } from './storage-quota.js';
import { refuseBelowFile, refuseFolder } from './storage-tree.js';

@Controller()
export class QuotaController {
  constructor(
    private readonly database: Database,
    private readonly quota: StorageQuota,
  ) {}

  @OperationHandler(getStorageUsage)
  async usage(_input: Input<typeof getStorageUsage>, { caller }: Context): Promise<Result<typeof getStorageUsage>> {
    const { files, bytes, runBytes, quota } = await this.quota.usageOf(this.database.client, caller.vault);
    return { files, used_bytes: bytes, run_bytes: runBytes, quota_bytes: quota };
  }

  /**
   * A first check before the bytes are sent. Other uploads may finish in the meantime, so `uploadFile` checks the quota
   * again.
   */
  @OperationHandler(admitUpload)
  async admit({ body }: Input<typeof admitUpload>, { caller }: Context): Promise<Result<typeof admitUpload>> {
    const { client } = this.database;
    const path = readPath(body.path, 'body.path');
    const where = { ...inVault(caller), path };
    const [usage, replaced] = await Promise.all([
      this.quota.usageOf(client, caller.vault),
      client.file.findUnique({ where: { vaultId_path: where }, select: { size: true } }),
      refuseFolder(client, caller.vault, path),
      refuseBelowFile(client, caller.vault, path),
    ]);
    return {
      most: this.quota.maxSizeFor(Number(replaced?.size ?? 0), usage),
      used_bytes: usage.bytes,
      quota_bytes: usage.quota,
    };
  }
}
