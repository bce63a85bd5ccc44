import { z } from 'zod';
import type { Access } from './access.js';
import type { ErrorCode } from './api-error.js';
import type { Permission } from './permissions.js';
import { serviceOf, type ServiceName } from './service-name.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How the gateway answers: JSON by default; the others are hand-written routes that still take their contract from here. */
export type Transfer = 'json' | 'upload' | 'rows' | 'content' | 'signed' | 'raw' | 'download' | 'events' | 'text';

const nothing = z.strictObject({});
type Nothing = typeof nothing;

export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** `<service>.<resource>.<verb>`; the broker subject is `rpc.` and this. */
  name: string;
  service: ServiceName;
  method: Method;
  /** Below `/api`, parameters in braces; empty for an internal operation. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /**
   * Rows that some requests want besides, by which; the service asks for them. Such an operation maps to more than one row of
   * the matrix, so its description names no least role.
   */
  additionalPermissions: Readonly<Record<string, Permission>>;
  params: P;
  query: Q;
  body: B;
  response: R;
  status: 200 | 201 | 202 | 204;
  /** Codes beyond those that any operation can give. */
  errors: readonly ErrorCode[];
  transfer: Transfer;
  /** Its events have ids, and the stream goes on behind the one in `Last-Event-ID`. */
  resumable: boolean;
  /** Answers are pages; the gateway adds `next` and `previous`. */
  list: 'nullable-links' | 'optional-links' | null;
  /** Largest body, in bytes. */
  bodyLimit: number;
  /** The body may come as `application/yaml`, too; it is then `{ yaml: <text> }`. */
  acceptsYaml: boolean;
  /** Media types of a `text` answer. */
  responseTypes: readonly string[];
  /** A response that must not be kept readable anywhere, like a token. */
  secret: boolean;
  /**
   * The request's body holds what only the two ends may know: it is encrypted on its way over the broker, and no error names
   * what stands in it.
   */
  sealed: boolean;
  /** Not to be had with an API token: what a lost token must not be enough for. */
  sessionOnly: boolean;
  /** Asked of one copy of the service, whose id is added to the subject. */
  perInstance: boolean;
  tag: string;
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024;

interface Declaration<P, Q, B, R> {
  method: Method;
  path: string;
  summary: string;
  description?: string;
  access: Access;
  additionalPermissions?: Readonly<Record<string, Permission>>;
  params?: P;
  query?: Q;
  body?: B;
  response: R;
  status?: 200 | 201 | 202 | 204;
  errors?: readonly ErrorCode[];
  transfer?: Transfer;
  resumable?: boolean;
  list?: 'nullable-links' | 'optional-links';
  bodyLimit?: number;
  acceptsYaml?: boolean;
  responseTypes?: readonly string[];
  secret?: boolean;
  sealed?: boolean;
  sessionOnly?: boolean;
  perInstance?: boolean;
}

/** Declares a REST operation. Everything else about it (route, checks, documents, clients) follows from this. */
export function operation<
  R extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(name: string, declared: Declaration<P, Q, B, R>): Operation<P, Q, B, R> {
  const { description, ...rest } = declared;
  return {
    status: 200,
    additionalPermissions: {},
    errors: [],
    transfer: 'json',
    resumable: false,
    bodyLimit: DEFAULT_BODY_LIMIT,
    acceptsYaml: false,
    responseTypes: ['text/plain'],
    secret: false,
    sealed: false,
    sessionOnly: false,
    perInstance: false,
    ...rest,
    ...(description !== undefined && { description }),
    name,
    service: serviceOf(name),
    tag: name.split('.').slice(0, 2).join('.'),
    list: declared.list ?? null,
    params: (declared.params ?? nothing) as P,
    query: (declared.query ?? nothing) as Q,
    body: (declared.body ?? nothing) as B,
  };
}

/** Declares a question that one service asks another; it has a body and an answer, and no route. */
export function internalOperation<B extends z.ZodType, R extends z.ZodType>(
  name: string,
  declared: {
    access: Extract<Access, { kind: 'internal' }>;
    summary: string;
    body: B;
    response: R;
    /** Changes nothing, so that it may be asked again where the answer was lost. */
    readOnly?: boolean;
    perInstance?: boolean;
  },
): Operation<Nothing, Nothing, B, R> {
  const { readOnly, ...rest } = declared;
  return operation<R, Nothing, Nothing, B>(name, { method: readOnly ? 'GET' : 'POST', path: '', ...rest });
}

/** What a handler is given: the parts of the request, parsed. */
export interface Input<O extends Operation> {
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  body: z.output<O['body']>;
}

/** What a client gives, before defaults are filled in. */
export interface Request<O extends Operation> {
  params: z.input<O['params']>;
  query: z.input<O['query']>;
  body: z.input<O['body']>;
}

/** What a handler gives back. For lists the links are the gateway's. */
export type Result<O extends Operation> = z.input<O['response']>;

export type AnyOperation = Operation;

export const subjectOf = (operation: { name: string }): string => `rpc.${operation.name}`;
