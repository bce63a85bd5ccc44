import { Module, type DynamicModule } from '@nestjs/common';
import { openStore } from '@millrace/storage/open-store';
import { DATASETS_ENV, type DatasetsEnv } from './env.js';
import { OBJECT_STORE } from './object-store.js';

/** Live Tables and what stands on them. */
@Module({})
export class DatasetsModule {
  static of(env: DatasetsEnv): DynamicModule {
    return {
      module: DatasetsModule,
      controllers: [],
      providers: [
        { provide: DATASETS_ENV, useValue: env },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
      ],
    };
  }
}
