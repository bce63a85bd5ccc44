import { Module, type DynamicModule } from '@nestjs/common';
import { Database } from './database.js';

/** Gives every provider of a service its database. Whoever made the database closes it, after all else has ended. */
@Module({})
export class PersistenceModule {
  static of(database: Database): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [{ provide: Database, useValue: database }],
      exports: [Database],
    };
  }
}
