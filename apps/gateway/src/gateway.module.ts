import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { MessagingModule } from '@millrace/messaging/wiring/messaging.module';
import { HealthServer } from '@millrace/service/health/health-server';
import { ServiceHealth } from '@millrace/service/health/service-health';
import { messagingOptions } from '@millrace/service/startup/messaging-options';
import { openStore } from '@millrace/storage/open-store';
import { storageArea } from '@millrace/storage/settings/storage-env';
import { ApiTokenStrategy } from './access/api-token.strategy.js';
import { CallerCache } from './access/caller-cache.js';
import { CallerResolver } from './access/current-caller.js';
import { SessionStrategy } from './access/session.strategy.js';
import { SigningKeys } from './access/signing-keys.js';
import { SessionRenewals } from './browser-sessions/session-renewals.js';
import { GATEWAY_ENV, type GatewayEnv } from './env.js';
import { googleWiring } from './google/google-wiring.js';
import { HttpErrorFilter } from './http/http-error.filter.js';
import { RateLimits } from './limits/rate-limits.js';
import { LogsController } from './logs/logs.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { HealthController } from './routes/health.controller.js';
import { HooksController } from './routes/hooks.controller.js';
import { operationControllers } from './routes/operation-controllers.js';
import { StripeEventsController } from './routes/stripe-events.controller.js';
import { NotificationStreamController } from './streams/notification-stream.controller.js';
import { NotificationWakers } from './streams/notification-wakers.js';
import { RunEventsController } from './streams/run-events.controller.js';
import { SandboxExecController } from './streams/sandbox-exec.controller.js';
import { OutputArchivesController } from './transfers/archives/output-archives.controller.js';
import { DownloadsController } from './transfers/downloads.controller.js';
import { EXPORT_STORE, OBJECT_STORE } from './transfers/object-stores.js';
import { RowUploadsController } from './transfers/row-uploads.controller.js';
import { SandboxFilesController } from './transfers/sandbox-files.controller.js';
import { UploadsController } from './transfers/uploads.controller.js';
import { UsageExportsController } from './transfers/usage-exports.controller.js';
import { WorkflowExportsController } from './transfers/workflow-exports.controller.js';
import { WorkerLimits } from './worker-links/worker-limits.js';
import { WorkerLinks } from './worker-links/worker-links.js';

@Module({})
export class GatewayModule {
  /** @param health of this process, and of the gateway in it */
  static of(env: GatewayEnv, health: { server: HealthServer; gateway: ServiceHealth }): DynamicModule {
    const google = googleWiring(env);
    return {
      module: GatewayModule,
      imports: [MessagingModule.forClient(messagingOptions('gateway', env))],
      controllers: [
        HealthController,
        DownloadsController,
        OutputArchivesController,
        WorkflowExportsController,
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
        McpController,
        ...google.controllers,
        ...operationControllers(),
      ],
      providers: [
        { provide: GATEWAY_ENV, useValue: env },
        { provide: HealthServer, useValue: health.server },
        { provide: ServiceHealth, useValue: health.gateway },
        { provide: OBJECT_STORE, useFactory: () => openStore(env) },
        { provide: EXPORT_STORE, useFactory: () => openStore(storageArea(env, 'exports')) },
        { provide: APP_FILTER, useClass: HttpErrorFilter },
        CallerCache,
        RateLimits,
        SessionRenewals,
        SigningKeys,
        ApiTokenStrategy,
        SessionStrategy,
        CallerResolver,
        NotificationWakers,
        WorkerLimits,
        WorkerLinks,
        ...google.providers,
      ],
    };
  }
}
