import {
  Inject,
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { handleWork } from '../tracing/handle-work.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { hasCheckedSpaceRole } from './context.js';
import { Idempotency } from './idempotency.js';
import { OPERATION_METADATA } from './operation-handler.js';
import { SealedBodies } from './sealed-bodies.js';

/**
 * Wraps every handler: opens sealed bodies, returns stored responses to repeated requests, and, in tests and
 * development, checks each response against its schema and that the space role of the caller was checked. Log lines of
 * the handler have the id of the request.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Operations');
  private readonly bodies: SealedBodies;

  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: Idempotency,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {
    this.bodies = new SealedBodies(options.secret);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = this.reflector.get<AnyOperation | undefined>(OPERATION_METADATA, context.getHandler());
    if (!operation) return next.handle();
    const envelope = context.switchToRpc().getData<Envelope>();
    // The gateway checks this too. A mistake there must not open the whole installation.
    if (operation.access.kind === 'instanceAdmin' && !envelope.caller?.instance) throw new ForbiddenError();
    // In place, because the parameters of the handler are read from the same object.
    if (operation.sealed) envelope.body = this.bodies.open(operation, envelope);
    const execute = async () =>
      this.checkResponse(operation, envelope, await lastValueFrom(next.handle(), { defaultValue: null }));
    const handle = () =>
      envelope.idempotencyKey ? this.idempotency.executeOnce(operation, envelope, execute) : execute();
    return from(handleWork(this.logger, { kind: 'operation', name: operation.name, cause: envelope }, handle));
  }

  private checkResponse(operation: AnyOperation, envelope: Envelope, response: unknown): unknown {
    if (!this.options.checkResponses) return response ?? null;
    if (!hasCheckedSpaceRole(operation, envelope)) {
      throw new Error(
        `${operation.name} did not check the caller's role: call context.requireSpaceRole(space, record)`,
      );
    }
    const parsed = operation.response.safeParse(response ?? null);
    if (parsed.success) return response ?? null;
    throw new Error(`The response of ${operation.name} does not match its contract: ${parsed.error.message}`);
  }
}
