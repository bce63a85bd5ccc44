/** A part of a request, or a response. Only its types exist: contracts have schemas here (Standard Schema), other operations nothing. */
export interface Typed<Value> {
  readonly '~standard': { readonly types?: { readonly input: Value; readonly output: Value } | undefined };
}

/**
 * An operation of the REST API. `operations` has all of them. A contract of the server is one as well, so the server's own tests
 * use this client, too.
 */
export interface Operation<Params = unknown, Query = unknown, Body = unknown, Result = unknown> {
  /** `<service>.<resource>.<verb>` */
  readonly name: string;
  readonly method: string;
  /** Path below `/api`, with parameters in braces. */
  readonly path: string;
  /** Absent, or `kind: 'public'` for an operation that is sent without a token. */
  readonly access?: { readonly kind: string };
  readonly params?: Typed<Params>;
  readonly query?: Typed<Query>;
  readonly body?: Typed<Body>;
  readonly response?: Typed<Result>;
}

/** The type that a caller sends. */
export type Sent<Part> = Part extends {
  readonly '~standard': { readonly types?: { readonly input: infer Input } | undefined };
}
  ? Input
  : unknown;

/** The type that a caller receives. */
export type Received<Part> = Part extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : unknown;
