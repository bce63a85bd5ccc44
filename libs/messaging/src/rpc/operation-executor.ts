import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { handleWork } from '../tracing/handle-work.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { Context, hasCheckedSpaceRole } from './context.js';
import { describeFailure } from './describe-failure.js';
import { Idempotency } from './idempotency.js';
import type { Authorize } from './operation-handler.js';
import type { RpcReply } from './rpc-messages.js';
import { SealedBodies } from './sealed-bodies.js';

/** A handler of this service, ready to be called. */
export interface RegisteredHandler {
  operation: AnyOperation;
  authorize: Authorize | undefined;
  handle: (input: Envelope, context: Context) => Promise<unknown>;
}

/**
 * Executes a request: opens sealed bodies, returns stored responses to repeated requests, calls the handler, and, in tests
 * and development, checks each response against its schema and that the space role of the caller was checked. Log lines of
 * the handler have the id of the request.
 */
@Injectable()
export class OperationExecutor {
  private readonly logger = new Logger('Operations');
  private readonly bodies: SealedBodies;

  /** @param idempotency is missing in services without a database, whose operations are repeatable */
  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Optional() private readonly idempotency?: Idempotency,
  ) {
    this.bodies = new SealedBodies(options.secret);
  }

  /** Never rejects: an error of the handler becomes the response. */
  async execute(handler: RegisteredHandler, envelope: Envelope): Promise<RpcReply> {
    try {
      return { response: await this.handle(handler, envelope) };
    } catch (error) {
      return { err: describeFailure(error, envelope.requestId, this.logger) };
    }
  }

  private async handle({ operation, authorize, handle }: RegisteredHandler, envelope: Envelope): Promise<unknown> {
    await authorize?.(envelope);
    // The gateway checks this too. A mistake there must not open the whole installation.
    if (operation.access.kind === 'instanceAdmin' && !envelope.caller?.instance) throw new ForbiddenError();
    const input = operation.sealed ? { ...envelope, body: this.bodies.open(operation, envelope) } : envelope;
    const execute = async () =>
      this.checkResponse(operation, input, await handle(input, new Context(operation, input)));
    const executeOnce = () =>
      input.idempotencyKey && this.idempotency ? this.idempotency.executeOnce(operation, input, execute) : execute();
    return handleWork(this.logger, { kind: 'operation', name: operation.name, cause: input }, executeOnce);
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
