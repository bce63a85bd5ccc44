import type { z } from 'zod';
import type { Operation } from '@millrace/contracts/kit/operation';

/** A part of a request: may be left out where all that is in it may. */
type Part<Name extends string, Schema extends z.ZodType> =
  Record<never, never> extends z.input<Schema>
    ? { [key in Name]?: z.input<Schema> }
    : { [key in Name]: z.input<Schema> };

export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds to wait for an answer, for each try; default 30 s. */
  timeoutMs?: number;
  /** Names a POST, so that the server does it once however often it arrives; default a new UUID for each call. */
  idempotencyKey?: string;
}

/** What a call of an operation takes, as its contract says. */
export type CallInput<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']> &
  CallOptions;

/** The argument of a call: may be left out where the operation needs nothing. */
export type CallArguments<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];

export type CallResult<O extends Operation> = z.output<O['response']>;

/** A call as the transport sees it, its types forgotten. */
export interface LooseInput extends CallOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}
