import type { DynamicModule, Type } from '@nestjs/common';
import { databaseEnv } from '@millrace/service/env';
import { startService, type ServiceDefinition } from '@millrace/service/start-service';
import type { Start } from './start-apps.js';

/** A service under a real name but made of a suite's own module: for suites about the kit itself. */
export const serviceOf =
  (name: ServiceDefinition<typeof databaseEnv>['name'], module: DynamicModule | Type): Start =>
  (source) =>
    startService({ name, env: databaseEnv, module: () => module }, source);
