import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClosedConnectionError, NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { ApiError, UnavailableError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf, type Operation, type Request } from '@millrace/contracts/kit/operation';
import { currentTraceparent } from '@millrace/telemetry/tracing/spans';
import { Broker } from '../broker/broker.js';
import { currentRequestId } from '../tracing/log-fields.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { isMessageTooLarge } from './message-too-large.js';
import { ResponseLostError, NotConnectedError } from './request-multiplexer.js';
import { readResponse, readResponseJson, type RpcRequest } from './rpc-messages.js';
import { SealedBodies } from './sealed-bodies.js';

/** A read without a response after this time, or after a third of the remaining time, is sent again. */
const FIRST_ATTEMPT_TIMEOUT_MS = 5_000;
/** Delay between two attempts to reach a service that is not running. */
const RETRY_DELAY_MS = 100;

interface SendOptions {
  /** Addresses one instance of the service, for an operation with `perInstance`. */
  instance?: string;
  /** How long a service that is not running is retried: it restarts within seconds, and no request has reached it. */
  retryForMs?: number;
}

/** Calls other services. A missing service or response is an error by the deadline, never a hang. */
@Injectable()
export class RpcClient {
  private sequence = 0;
  private readonly bodies: SealedBodies;
  /** Nobody waits at a worker, so it repeats what was refused for its rate. Other services pass the error on to their users. */
  private readonly waitsForRate: boolean;

  /** @param options its secret encrypts sealed bodies; not needed if none is sent */
  constructor(
    private readonly broker: Broker,
    @Inject(MESSAGING_OPTIONS) options: Partial<Pick<MessagingOptions, 'secret' | 'service'>> = {},
  ) {
    this.waitsForRate = options.service === 'worker';
    this.bodies = new SealedBodies(options.secret);
  }

  /**
   * Sends an envelope to the service that handles the operation, and returns the response unmodified.
   * @throws ApiError that the handler threw; `unavailable` if there was no response
   */
  send(operation: Operation, envelope: Envelope, options?: SendOptions): Promise<unknown> {
    return this.request(operation, envelope, readResponse, options);
  }

  /** Like `send`, but returns the response in JSON, which takes a fifth of the time of a gateway to parse and write again. */
  sendForJson(operation: Operation, envelope: Envelope, options?: SendOptions): Promise<Buffer> {
    return this.request(operation, envelope, readResponseJson, options);
  }

  private async request<T>(
    operation: Operation,
    envelope: Envelope,
    read: (data: Uint8Array) => T,
    { instance, retryForMs = 0 }: SendOptions = {},
  ): Promise<T> {
    const subject = instance ? `${subjectOf(operation)}.${instance}` : subjectOf(operation);
    const traceparent = currentTraceparent();
    const traced = traceparent === undefined ? envelope : { ...envelope, traceparent };
    const data = operation.sealed ? this.bodies.seal(operation, traced) : traced;
    const packet = encode({ pattern: subject, data, id: String(++this.sequence) } satisfies RpcRequest<unknown>);
    const retryUntil = Math.min(envelope.deadline, Date.now() + retryForMs);
    for (let attempt = 1; ; attempt++) {
      const remainingMs = Math.max(1, envelope.deadline - Date.now());
      // A request may be lost with the instance that received it. Only a read may be sent again.
      const canRepeat = attempt === 1 && operation.method === 'GET';
      const timeout = canRepeat ? Math.min(FIRST_ATTEMPT_TIMEOUT_MS, remainingMs / 3) : remainingMs;
      try {
        const message = await this.broker.request(subject, packet, timeout);
        return read(message.data);
      } catch (error) {
        if (canRepeat && (error instanceof TimeoutError || error instanceof ResponseLostError)) continue;
        const rateDelayMs = this.waitsForRate ? rateDelayOf(error) : null;
        if (rateDelayMs !== null && Date.now() + rateDelayMs < envelope.deadline) {
          await sleep(rateDelayMs);
          continue;
        }
        if (!(error instanceof NoRespondersError) || Date.now() >= retryUntil) throw toApiError(error, operation);
        await sleep(RETRY_DELAY_MS);
      }
    }
  }

  /**
   * Calls an internal operation on behalf of `caller`, or of no user if it is null. The call has the id of the request that
   * is being handled; a new id if there is none.
   */
  async call<O extends Operation>(
    operation: O,
    body: Request<O>['body'],
    from: Pick<Envelope, 'caller'> & Partial<Pick<Envelope, 'requestId'>>,
    options: SendOptions & { timeoutMs?: number } = {},
  ): Promise<z.output<O['response']>> {
    const deadline = Date.now() + (options.timeoutMs ?? 10_000);
    const requestId = from.requestId ?? currentRequestId() ?? randomUUID();
    const envelope = { caller: from.caller, requestId, deadline, params: {}, query: {}, body };
    return (await this.send(operation, envelope, options)) as z.output<O['response']>;
  }
}

/** JSON can be parsed to any depth, but serialized only to some thousand levels, which no client needs. */
function encode(packet: object): string {
  try {
    return JSON.stringify(packet);
  } catch (error) {
    if (error instanceof RangeError) throw new ValidationError({ body: 'is nested too deeply' });
    throw error;
  }
}

function toApiError(error: unknown, operation: Operation): unknown {
  if (isMessageTooLarge(error)) {
    return new ApiError('payload_too_large', 'The request is too large. Send less in one request.');
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

/** How long to wait before a request that was refused for its rate is sent again; null for other errors. */
function rateDelayOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return null;
  const seconds = Number(error.details?.['retry_after'] ?? 1);
  // Requests that were refused together are not sent together again.
  return seconds * 1000 * (1 + Math.random() / 4);
}

/** Whether a write took effect is unknown if its response is missing. */
function adviceFor({ method }: Operation): string {
  if (method === 'GET') return 'Try again shortly.';
  if (method === 'POST') {
    return 'The change may or may not have been made: send the request again with the same Idempotency-Key.';
  }
  return 'The change may or may not have been made: send the request again.';
}
