import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MAX_RESTORED_CONTENTS, restoreContents } from '@millrace/contracts/runs/contents';
import { Database } from '@millrace/persistence/database';
import { RpcClient } from './rpc-client.js';

/**
 * Lets the runs service restore objects that a transaction of this service refers to although they were deleted as unused.
 * Provide it in each service that stores hashes.
 */
@Injectable()
export class ContentsRestorer implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  onModuleInit(): void {
    this.database.onGoneContents((hashes) => this.restore(hashes));
  }

  private async restore(hashes: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let from = 0; from < hashes.length; from += MAX_RESTORED_CONTENTS) {
      const body = { hashes: hashes.slice(from, from + MAX_RESTORED_CONTENTS) };
      missing.push(...(await this.rpc.call(restoreContents, body, { caller: null })).missing);
    }
    return missing;
  }
}
