import { Module, type DynamicModule } from '@nestjs/common';
import { Database } from './database.js';

/**
 * Provides the database to every provider of a service. The creator of the database closes it, after everything else
 * has shut down.
 */
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
