import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { hasCheckedSpaceRole } from './context.js';
import { Idempotency } from './idempotency.js';
import { OPERATION } from './operation-handler.js';
import { SealedBodies } from './sealed-bodies.js';

/** Stands around every handler: sealed bodies are opened, repeated requests get their first answer, and answers are held
 * to their contract: its schema, and that whoever asks for something in a space had their role there looked at. */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  private readonly bodies: SealedBodies;

  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: Idempotency,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {
    this.bodies = new SealedBodies(options.secret);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = this.reflector.get<AnyOperation | undefined>(OPERATION, context.getHandler());
    if (!operation) return next.handle();
    const envelope = context.switchToRpc().getData<Envelope>();
    // In place, for the handler's parameters are taken from the same object.
    if (operation.sealed) envelope.body = this.bodies.open(operation, envelope);
    const work = async () =>
      this.check(operation, envelope, await lastValueFrom(next.handle(), { defaultValue: null }));
    return from(envelope.idempotencyKey ? this.idempotency.once(operation, envelope, work) : work());
  }

  private check(operation: AnyOperation, envelope: Envelope, response: unknown): unknown {
    if (!this.options.checkResponses) return response ?? null;
    if (!hasCheckedSpaceRole(operation, envelope)) {
      throw new Error(`${operation.name} answered without looking at the caller's role: call context.enter(space, …)`);
    }
    const parsed = operation.response.safeParse(response ?? null);
    if (parsed.success) return response ?? null;
    throw new Error(`${operation.name} answered against its contract: ${parsed.error.message}`);
  }
}
