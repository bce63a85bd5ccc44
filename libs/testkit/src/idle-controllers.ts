import { Controller, type Type } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { healthChecks } from '@millrace/contracts/kit/health';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { operations } from '@millrace/contracts/registry';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';

/**
 * Handlers for all that a service must answer by the registry, so that a suite's own module may start under its name. What
 * the suite has added to the registry itself, it handles.
 */
export const idleControllers = (service: Exclude<ServiceName, 'gateway'>): Type[] =>
  DECLARED.filter((operation) => operation.service === service && operation !== healthChecks[service]).map(idle);

/** As the contracts declare them, before any suite adds its own. */
const DECLARED: readonly AnyOperation[] = [...operations];

function idle(operation: AnyOperation): Type {
  @Controller()
  class IdleController {
    @OperationHandler(operation)
    answer(): never {
      throw new ApiError('internal_error', `${operation.name} is not answered in this suite`);
    }
  }
  return IdleController;
}
