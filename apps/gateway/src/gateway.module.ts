import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { MessagingModule } from '@millrace/messaging/wiring/messaging.module';
import { DiskSpace } from '@millrace/service/disk-space';
import type { ProcessEnv } from '@millrace/service/env';
import { messagingOptions } from '@millrace/service/messaging-options';
import { openStore } from '@millrace/storage/open-store';
import { storageArea } from '@millrace/storage/storage-area';
import { ApiTokenStrategy } from './access/api-token.strategy.js';
import { CallerCache } from './access/caller-cache.js';
import { CurrentCaller } from './access/current-caller.js';
import { SessionStrategy } from './access/session.strategy.js';
import { SigningKeys } from './access/signing-keys.js';
import { DownloadsController } from './downloads.controller.js';
import { GATEWAY_ENV, type GatewayEnv } from './env.js';
import { ExportsController } from './exports.controller.js';
import { googleParts } from './google/google-parts.js';
import { HealthController } from './health.controller.js';
import { HooksController } from './hooks.controller.js';
import { HttpErrorFilter } from './http-error.filter.js';
import { RateLimits } from './limits/rate-limits.js';
import { LogsController } from './logs.controller.js';
import { operationControllers } from './mount-operations.js';
import { NotificationStreamController } from './notification-stream.controller.js';
import { NotificationWakers } from './notification-wakers.js';
import { EXPORT_STORE, OBJECT_STORE } from './object-store.js';
import { RowUploadsController } from './row-uploads.controller.js';
import { RunEventsController } from './run-events.controller.js';
import { SandboxExecController } from './sandbox-exec.controller.js';
import { SandboxFilesController } from './sandbox-files.controller.js';
import { StripeEventsController } from './stripe-events.controller.js';
import { UploadsController } from './uploads.controller.js';
import { UsageExportsController } from './usage-exports.controller.js';

@Module({})
export class GatewayModule {
  /** @param source the process's environment, which names the folders whose disks are watched */
  static of(env: GatewayEnv, source: ProcessEnv): DynamicModule {
    const google = googleParts(env);
    return {
      module: GatewayModule,
      imports: [MessagingModule.forClient(messagingOptions('gateway', env))],
      controllers: [
        HealthController,
        DownloadsController,
        ExportsController,
        UsageExportsController,
        UploadsController,
        RowUploadsController,
        LogsController,
        RunEventsController,
        SandboxExecController,
        SandboxFilesController,
        StripeEventsController,
        HooksController,
        NotificationStreamController,
        ...google.controllers,
        ...operationControllers(),
      ],
      providers: [
        { provide: GATEWAY_ENV, useValue: env },
        { provide: DiskSpace, useValue: new DiskSpace(source, env.DISK_MIN_FREE_MIB) },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        { provide: EXPORT_STORE, useFactory: () => openStore(storageArea(env, 'exports')) },
        { provide: APP_FILTER, useClass: HttpErrorFilter },
        CallerCache,
        RateLimits,
        SigningKeys,
        ApiTokenStrategy,
        SessionStrategy,
        CurrentCaller,
        NotificationWakers,
        ...google.providers,
      ],
    };
  }
}
