import { Injectable, type OnModuleInit } from '@nestjs/common';
import { readBuiltIns } from '@millrace/library/read-built-ins';
import { Database } from '@millrace/persistence/database';
import { storeBuiltIns } from './store-built-ins.js';

/** Stores the built-in modules in the library before the service handles its first request. */
@Injectable()
export class BuiltInsLoader implements OnModuleInit {
  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    const builtIns = await readBuiltIns();
    await this.database.transaction((tx) => storeBuiltIns(tx, builtIns), { timeoutMs: 60_000 });
  }
}
