import { Injectable } from '@nestjs/common';
import { NoRespondersError, RequestError, TimeoutError } from '@nats-io/nats-core';
import type { z } from 'zod';
import { ApiError, STATUS_OF, type ErrorCode, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf, type Operation, type Request } from '@millrace/contracts/kit/operation';
import { Broker } from './broker.js';

/** Nest's packet for a request and for its answer (libs: @nestjs/microservices, transport NATS). */
interface Answer {
  response?: unknown;
  err?: { code?: string; message?: string; details?: ErrorDetails } | string;
}

/** Asks other services. Nobody there, or no answer by the deadline, is an error and never a hang. */
@Injectable()
export class Asker {
  private sequence = 0;

  constructor(private readonly broker: Broker) {}

  /**
   * Sends an envelope to whoever handles the operation; its answer is given as it came.
   * @param instance one copy of the service, where the operation is asked of that copy alone
   * @throws ApiError what the handler threw, or `internal_error` where none answered
   */
  async send(operation: Operation, envelope: Envelope, instance?: string): Promise<unknown> {
    const subject = instance ? `${subjectOf(operation)}.${instance}` : subjectOf(operation);
    const packet = JSON.stringify({ pattern: subject, data: envelope, id: String(++this.sequence) });
    const timeout = Math.max(1, envelope.deadline - Date.now());
    try {
      const message = await this.broker.connection.request(subject, packet, { timeout });
      return open(message.json<Answer>());
    } catch (error) {
      throw explain(error, operation);
    }
  }

  /** Asks an internal operation on behalf of `caller` (or of nobody). */
  async ask<O extends Operation>(
    operation: O,
    body: Request<O>['body'],
    from: Pick<Envelope, 'caller' | 'requestId'>,
    options: { timeoutMs?: number; instance?: string } = {},
  ): Promise<z.output<O['response']>> {
    const deadline = Date.now() + (options.timeoutMs ?? 10_000);
    const envelope = { caller: from.caller, requestId: from.requestId, deadline, params: {}, query: {}, body };
    return (await this.send(operation, envelope, options.instance)) as z.output<O['response']>;
  }
}

function open(answer: Answer): unknown {
  if (answer.err === undefined || answer.err === null) return answer.response;
  if (typeof answer.err === 'string') throw new ApiError('internal_error', answer.err);
  const { code = 'internal_error', message = 'Internal error', details } = answer.err;
  throw new ApiError(code in STATUS_OF ? (code as ErrorCode) : 'internal_error', message, details);
}

function explain(error: unknown, operation: Operation): unknown {
  if (isAlone(error))
    return new ApiError('internal_error', `The ${operation.service} service is not there; try again shortly`);
  if (error instanceof TimeoutError) {
    return new ApiError('internal_error', `The ${operation.service} service did not answer in time`);
  }
  return error;
}

const isAlone = (error: unknown): boolean =>
  error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
