import { setTimeout as sleep } from 'node:timers/promises';
import { ClosedConnectionError, NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import {
  ApiError,
  HTTP_STATUS,
  UnavailableError,
  ValidationError,
  type ErrorCode,
  type ErrorDetails,
} from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf, type Operation, type Request } from '@millrace/contracts/kit/operation';
import { Broker } from '../broker/broker.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { ResponseLostError, NotConnectedError } from './request-multiplexer.js';
import { SealedBodies } from './sealed-bodies.js';
import { isTooLarge } from './too-large.js';

/** A read that is not answered by then, or in a third of the time there is, is asked again. */
const FIRST_TRY_MS = 5_000;
/** Between two tries to reach a service that is not there. */
const RETRY_MS = 100;

/** Nest's packet for a request and for its answer (libs: @nestjs/microservices, transport NATS). */
interface RpcReply {
  response?: unknown;
  err?: { code?: string; message?: string; details?: ErrorDetails } | string;
}

/** Asks other services. Nobody there, or no answer by the deadline, is an error and never a hang. */
@Injectable()
export class RpcClient {
  private sequence = 0;
  private readonly bodies: SealedBodies;

  /** @param options its secret is that of sealed bodies; not needed where none is sent */
  constructor(
    private readonly broker: Broker,
    @Inject(MESSAGING_OPTIONS) options: Pick<MessagingOptions, 'secret'> = {},
  ) {
    this.bodies = new SealedBodies(options.secret);
  }

  /**
   * Sends an envelope to whoever handles the operation; its answer is given as it came.
   * @param to `instance`: one copy of the service, where the operation is asked of that copy alone; `patienceMs`: how long
   *   a service that is not there is waited for (it restarts within seconds, and nothing has reached it)
   * @throws ApiError what the handler threw, `unavailable` if nobody responded
   */
  async send(
    operation: Operation,
    envelope: Envelope,
    { instance, patienceMs = 0 }: { instance?: string; patienceMs?: number } = {},
  ): Promise<unknown> {
    const subject = instance ? `${subjectOf(operation)}.${instance}` : subjectOf(operation);
    const data = operation.sealed ? this.bodies.seal(operation, envelope) : envelope;
    const packet = encode({ pattern: subject, data, id: String(++this.sequence) });
    const giveUp = Math.min(envelope.deadline, Date.now() + patienceMs);
    for (let attempt = 1; ; attempt++) {
      const left = Math.max(1, envelope.deadline - Date.now());
      // A question may go down with whoever took it. What only reads may be asked a second time.
      const canRepeat = attempt === 1 && operation.method === 'GET';
      const timeout = canRepeat ? Math.min(FIRST_TRY_MS, left / 3) : left;
      try {
        const message = await this.broker.request(subject, packet, timeout);
        return open(message.json<RpcReply>());
      } catch (error) {
        if (canRepeat && (error instanceof TimeoutError || error instanceof ResponseLostError)) continue;
        if (!(error instanceof NoRespondersError) || Date.now() >= giveUp) throw explain(error, operation);
        await sleep(RETRY_MS);
      }
    }
  }

  /** Asks an internal operation on behalf of `caller` (or of nobody). */
  async call<O extends Operation>(
    operation: O,
    body: Request<O>['body'],
    from: Pick<Envelope, 'caller' | 'requestId'>,
    options: { timeoutMs?: number; instance?: string; patienceMs?: number } = {},
  ): Promise<z.output<O['response']>> {
    const deadline = Date.now() + (options.timeoutMs ?? 10_000);
    const envelope = { caller: from.caller, requestId: from.requestId, deadline, params: {}, query: {}, body };
    return (await this.send(operation, envelope, options)) as z.output<O['response']>;
  }
}

/** JSON is read to any depth, but written only as deep as the stack goes: some thousand levels, which no client needs. */
function encode(packet: object): string {
  try {
    return JSON.stringify(packet);
  } catch (error) {
    if (error instanceof RangeError) throw new ValidationError({ body: 'is nested too deep' });
    throw error;
  }
}

function open(answer: RpcReply): unknown {
  if (answer.err === undefined || answer.err === null) return answer.response;
  if (typeof answer.err === 'string') throw new ApiError('internal_error', answer.err);
  const { code = 'internal_error', message = 'Internal error', details } = answer.err;
  throw new ApiError(code in HTTP_STATUS ? (code as ErrorCode) : 'internal_error', message, details);
}

function explain(error: unknown, operation: Operation): unknown {
  if (isTooLarge(error)) {
    return new ApiError('payload_too_large', 'The request is too large to be passed on');
  }
  const service = `The ${operation.service} service`;
  if (error instanceof NoRespondersError) {
    return new UnavailableError(`${service} is not running; nothing was done. Try again shortly.`);
  }
  if (error instanceof NotConnectedError || error instanceof ClosedConnectionError) {
    return new UnavailableError(`${service} cannot be reached; nothing was done. Try again shortly.`);
  }
  if (error instanceof TimeoutError) {
    return new UnavailableError(`${service} did not respond in time. ${adviceFor(operation)}`);
  }
  if (error instanceof ResponseLostError) {
    return new UnavailableError(`The response of the ${operation.service} service was lost. ${adviceFor(operation)}`);
  }
  return error;
}

/** Whether a write was done is not known if its response is missing. */
function adviceFor({ method }: Operation): string {
  if (method === 'GET') return 'Try again shortly.';
  if (method === 'POST') {
    return 'The change may or may not have been made: send the request again with the same Idempotency-Key.';
  }
  return 'The change may or may not have been made: send the request again.';
}
