import { Controller, Inject, type OnModuleInit } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { findMissingContents, restoreContents } from '@millrace/contracts/runs/contents';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../object-store.js';
import { findMissing } from './find-missing.js';
import { restoreContents as restore } from './restore-contents.js';

/** Restores objects that transactions refer to although they were deleted: for other services, and for this one. */
@Controller()
export class ContentsController implements OnModuleInit {
  constructor(
    private readonly database: Database,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  onModuleInit(): void {
    this.database.onGoneContents((hashes) => restore(this.database, this.store, hashes));
  }

  @OperationHandler(restoreContents)
  async restore({ body }: Input<typeof restoreContents>): Promise<Result<typeof restoreContents>> {
    return { missing: await restore(this.database, this.store, body.hashes) };
  }

  @OperationHandler(findMissingContents)
  async findMissing({ body }: Input<typeof findMissingContents>): Promise<Result<typeof findMissingContents>> {
    return { missing: await findMissing(this.store, body.hashes) };
  }
}
