import { Controller, type Type } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { healthChecks } from '@millrace/contracts/kit/health';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { operations } from '@millrace/contracts/registry';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';

/**
 * Handlers for all operations that the registry requires of a service, so that a suite can start its own module under the
 * service's name. The suite handles the operations that it adds to the registry itself.
 */
export const idleControllers = (service: Exclude<ServiceName, 'gateway'>): Type[] =>
  DECLARED.filter((operation) => operation.service === service && operation !== healthChecks[service]).map(idle);

/** The operations of the contracts, before a suite adds its own. */
const DECLARED: readonly AnyOperation[] = [...operations];

function idle(operation: AnyOperation): Type {
  @Controller()
  class IdleController {
    @OperationHandler(operation)
    handle(): never {
      throw new ApiError('internal_error', `${operation.name} is not handled in this suite.`);
    }
  }
  return IdleController;
}
