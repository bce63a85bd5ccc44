import type { DynamicModule, Type } from '@nestjs/common';
import { databaseEnv } from '@millrace/service/startup/env';
import { startService, type ServiceDefinition } from '@millrace/service/startup/start-service';
import type { StartService } from './start-apps.js';

/** Starts a suite's own module under the name of a real service, for suites that test the shared libraries. */
export const serviceOf =
  (name: ServiceDefinition<typeof databaseEnv>['name'], module: DynamicModule | Type): StartService =>
  (source) =>
    startService({ name, env: databaseEnv, module: () => module }, source);
