import { Controller, type Type } from '@nestjs/common';
import { healthChecks, type Health } from '@millrace/contracts/kit/health';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import type { ServiceHealth } from './service-health.js';

/** Creates a controller that handles the health check of the service, which the gateway calls. */
export function healthController(service: Exclude<ServiceName, 'gateway'>, health: ServiceHealth): Type {
  @Controller()
  class HealthController {
    @OperationHandler(healthChecks[service])
    check(): Promise<Health> {
      return health.readReport();
    }
  }
  return HealthController;
}
