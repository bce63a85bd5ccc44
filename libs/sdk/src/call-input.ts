import type { z } from 'zod';
import type { Operation } from '@millrace/contracts/kit/operation';

/** A part of a request. It is optional if all of its fields are optional. */
type Part<Name extends string, Schema extends z.ZodType> =
  Record<never, never> extends z.input<Schema>
    ? { [key in Name]?: z.input<Schema> }
    : { [key in Name]: z.input<Schema> };

export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds to wait for a response, for each attempt; default 30,000. */
  timeoutMs?: number;
  /** Identifies a POST, so that the server executes it once however often it receives it; default: a new UUID for each call. */
  idempotencyKey?: string;
}

/** The input of a call, as the contract of the operation declares it. */
export type CallInput<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']> &
  CallOptions;

/** The argument of a call. It is optional if the operation requires no input. */
export type CallArguments<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];

export type CallResult<O extends Operation> = z.output<O['response']>;

/** The input of a call without the types of its operation. */
export interface LooseInput extends CallOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}
