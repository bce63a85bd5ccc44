import type { Operation, Received, Sent } from './operation.js';

/** A part of a request. It is optional if all of its fields are optional. */
type Part<Name extends string, Value> = unknown extends Value
  ? { [key in Name]?: Value }
  : Record<never, never> extends Value
    ? { [key in Name]?: Value }
    : { [key in Name]: Value };

export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds to wait for a response, for each attempt; default 30,000. */
  timeoutMs?: number;
  /** Identifies a POST, so that the server executes it once however often it receives it; default: a new UUID for each call. */
  idempotencyKey?: string;
}

/** The input of a call, as its operation declares it. */
export type CallInput<O extends Operation> = Part<'params', Sent<NonNullable<O['params']>>> &
  Part<'query', Sent<NonNullable<O['query']>>> &
  Part<'body', Sent<NonNullable<O['body']>>> &
  CallOptions;

/** The argument of a call. It is optional if the operation requires no input. */
export type CallArguments<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];

export type CallResult<O extends Operation> = Received<NonNullable<O['response']>>;

/** The input of a call without the types of its operation. */
export interface LooseInput extends CallOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}
