import { z } from 'zod';
import type { Access } from './access.js';
import type { ErrorCode } from './api-error.js';
import type { Permission } from './permissions.js';
import { serviceOf, type ServiceName } from './service-name.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the gateway transfers request and response: JSON by default. The others have a hand-written route that still uses
 * the contract.
 */
export type Transfer =
  | 'json'
  | 'upload'
  | 'rows'
  | 'content'
  | 'signed'
  | 'raw'
  | 'download'
  | 'archive'
  | 'events'
  | 'text';

const emptyObject = z.strictObject({});
type EmptyObject = typeof emptyObject;

/** Makes an operation a tool of the MCP server (libs/mcp), with its input and output. */
export interface ToolMark {
  /** A verb and a noun in snake case, such as `list_runs`. */
  name: string;
  /** For a model, after summary and description: when to use the tool, and which other tool is better or comes next. */
  guidance?: string;
  /**
   * Fields of the request that the tool names otherwise than its rule does (`nameArgument` of libs/mcp), and null for those that it
   * does not have. Descriptions and errors get the same names.
   */
  arguments?: Readonly<Record<string, string | null>>;
  /** Whether it may remove or end something; by default if the method is DELETE. */
  isDestructive?: boolean;
  /** Whether a repeated call has no further effect; by default if the method is not POST. */
  isIdempotent?: boolean;
  /** Whether it changes nothing; by default if the method is GET. */
  isReadOnly?: boolean;
}

export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** `<service>.<resource>.<verb>`; the broker subject is `rpc.<name>`. */
  name: string;
  /** Method of the npm client, as in `runs.list` for `client.runs.list()`; by default the name without its service. */
  clientMethod: string;
  service: ServiceName;
  method: Method;
  /** Path below `/api` with parameters in braces; empty for an internal operation. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /**
   * Permissions that some requests also require; the service checks them. Each key says when, as in "in its space". The
   * API description names no minimum role for such an operation, because it depends on several permissions.
   */
  additionalPermissions: Readonly<Record<string, Permission>>;
  params: P;
  query: Q;
  body: B;
  response: R;
  status: 200 | 201 | 202 | 204;
  /** Error codes, except those that every operation can return. */
  errors: readonly ErrorCode[];
  transfer: Transfer;
  /** Events have ids, and the stream resumes after the one in `Last-Event-ID`. */
  resumable: boolean;
  /** Responses are pages; the gateway adds `next` and `previous`. */
  list: 'nullable-links' | 'optional-links' | null;
  /** Maximum body size in bytes. */
  bodyLimit: number;
  /** The body may also be `application/yaml`; it then becomes `{ yaml: <text> }`. */
  acceptsYaml: boolean;
  /** Media types of a `text` response. */
  responseTypes: readonly string[];
  /** The response contains a secret such as a token, and must not be stored in readable form. */
  secret: boolean;
  /** The request body is secret. It is encrypted between gateway and service, and no error quotes its content. */
  sealed: boolean;
  /**
   * The body of this public operation is a credential. A repeated request with its idempotency key may come from any
   * address, because any client that has the body may read the response.
   */
  credentialInBody: boolean;
  /** API tokens are not accepted: the operation does what a leaked token must not permit. */
  sessionOnly: boolean;
  /** Calls one instance of the service; the instance's id is appended to the subject. */
  perInstance: boolean;
  /** The tool of the MCP server that the operation is; null if there is none. */
  tool: ToolMark | null;
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024;

interface Declaration<P, Q, B, R> {
  clientMethod?: string;
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
  credentialInBody?: boolean;
  sessionOnly?: boolean;
  perInstance?: boolean;
  tool?: ToolMark;
}

/** Declares a REST operation. Its route, checks, documentation and client types follow from the declaration. */
export function operation<
  R extends z.ZodType,
  P extends z.ZodType = EmptyObject,
  Q extends z.ZodType = EmptyObject,
  B extends z.ZodType = EmptyObject,
>(name: string, declaration: Declaration<P, Q, B, R>): Operation<P, Q, B, R> {
  const { description, ...rest } = declaration;
  return {
    clientMethod: name.slice(name.indexOf('.') + 1),
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
    credentialInBody: false,
    sessionOnly: false,
    perInstance: false,
    tool: null,
    ...rest,
    ...(description !== undefined && { description }),
    name,
    service: serviceOf(name),
    list: declaration.list ?? null,
    params: (declaration.params ?? emptyObject) as P,
    query: (declaration.query ?? emptyObject) as Q,
    body: (declaration.body ?? emptyObject) as B,
  };
}

/** Declares an operation that one service calls on another. It has a body and a response, and no route. */
export function internalOperation<B extends z.ZodType, R extends z.ZodType>(
  name: string,
  declaration: {
    access: Extract<Access, { kind: 'internal' }>;
    summary: string;
    body: B;
    response: R;
    /** Has no effect, so the client may repeat it if the response is lost. */
    readOnly?: boolean;
    perInstance?: boolean;
  },
): Operation<EmptyObject, EmptyObject, B, R> {
  const { readOnly, ...rest } = declaration;
  return operation<R, EmptyObject, EmptyObject, B>(name, { method: readOnly ? 'GET' : 'POST', path: '', ...rest });
}

/** The parsed parts of a request, as a handler receives them. */
export interface Input<O extends Operation> {
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  body: z.output<O['body']>;
}

/** The parts of a request as a client sends them, before defaults are applied. */
export interface Request<O extends Operation> {
  params: z.input<O['params']>;
  query: z.input<O['query']>;
  body: z.input<O['body']>;
}

/** What a handler returns. For a list, the gateway adds the links. */
export type Result<O extends Operation> = z.input<O['response']>;

export type AnyOperation = Operation;

export const subjectOf = (operation: { name: string }): string => `rpc.${operation.name}`;
