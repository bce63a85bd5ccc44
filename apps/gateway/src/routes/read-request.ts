import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toErrorDetails, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import { findBadJson } from '@millrace/contracts/kit/find-bad-json';
import type { AnyOperation } from '@millrace/contracts/kit/operation';

const REQUEST_TIMEOUT_MS = 30_000;
const CLIENT_REQUEST_ID = /^[\w.-]{1,128}$/;

/** The client's request id if it is well-formed, so that the logs of both sides can be joined; otherwise a new one. */
export const readRequestId = (header: unknown): string =>
  typeof header === 'string' && CLIENT_REQUEST_ID.test(header) ? header : randomUUID();

/**
 * Parses a request by the operation's contract into the envelope that is sent over the broker.
 * @param body replaces the request's body if the gateway has read that itself
 * @throws ValidationError that names every invalid field
 */
export function readRequest(operation: AnyOperation, request: FastifyRequest, body = request.body): Envelope {
  const details: ErrorDetails = {};
  const parsePart = (name: 'params' | 'query' | 'body', value: unknown): unknown => {
    const problem = findBadJson(value);
    if (problem !== null) details[name] = problem;
    // If an operation has no fields, null counts as no body. Otherwise the contract decides about null.
    const isPresent = value !== undefined && (value !== null || !hasNoFields(operation[name]));
    const parsed = operation[name].safeParse(isPresent ? value : {});
    if (!parsed.success && problem === null)
      Object.assign(details, toErrorDetails(hideUnknownFieldNames(operation, parsed.error), name));
    return parsed.data;
  };
  const hasBody = operation.method !== 'GET' && operation.method !== 'DELETE';
  const parts = { params: parsePart('params', request.params), query: parsePart('query', request.query) };
  const parsedBody = hasBody ? parsePart('body', body) : {};
  const idempotencyKey = operation.method === 'POST' ? readIdempotencyKey(request, details) : undefined;
  if (Object.keys(details).length > 0) throw new ValidationError(details);
  return {
    caller: (request as { user?: Caller }).user ?? null,
    requestId: request.id,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    deadline: Date.now() + REQUEST_TIMEOUT_MS,
    client: clientOf(request),
    ...parts,
    body: parsedBody,
  };
}

/** The client of a request, for sign-in limits and the audit log. */
export function clientOf(request: FastifyRequest): NonNullable<Envelope['client']> {
  const agent = request.headers['user-agent'];
  return {
    address: request.ip,
    origin: request.publicOrigin,
    ...(agent !== undefined && { agent: agent.slice(0, 255) }),
  };
}

const hasNoFields = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;

/** The client chooses the names of unknown fields, so in a sealed body they may contain the secret itself. */
function hideUnknownFieldNames({ sealed }: AnyOperation, { issues }: z.ZodError): Pick<z.ZodError, 'issues'> {
  if (!sealed) return { issues };
  return {
    issues: issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? { code: 'custom', path: issue.path, message: 'has an unknown field' }
        : issue,
    ),
  };
}

function readIdempotencyKey(request: FastifyRequest, details: ErrorDetails): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  details['header.Idempotency-Key'] = 'must be 1 to 255 printable ASCII characters without spaces';
  return undefined;
}
