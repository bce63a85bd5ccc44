import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toErrorDetails, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import { findBadJson } from '@millrace/contracts/kit/find-bad-json';
import type { AnyOperation } from '@millrace/contracts/kit/operation';

const DEADLINE_MS = 30_000;
const GIVEN_ID = /^[\w.-]{1,128}$/;

/** The client's own request id where it is a sane one, so that both sides' logs can be joined. */
export const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && GIVEN_ID.test(header) ? header : randomUUID();

/**
 * Parses a request by its contract into what travels over the broker.
 * @param body taken instead of the request's own, where the gateway has read that itself
 * @throws ValidationError that names every field that is wrong
 */
export function readRequest(operation: AnyOperation, request: FastifyRequest, body = request.body): Envelope {
  const details: ErrorDetails = {};
  const part = (name: 'params' | 'query' | 'body', value: unknown): unknown => {
    const bad = findBadJson(value);
    if (bad !== null) details[name] = bad;
    // Null is as good as no body where there is nothing to say; elsewhere it is what the contract says of it.
    const isGiven = value !== undefined && (value !== null || !takesNothing(operation[name]));
    const parsed = operation[name].safeParse(isGiven ? value : {});
    if (!parsed.success && bad === null) Object.assign(details, toErrorDetails(explain(operation, parsed.error), name));
    return parsed.data;
  };
  const hasBody = operation.method !== 'GET' && operation.method !== 'DELETE';
  const parts = { params: part('params', request.params), query: part('query', request.query) };
  const parsedBody = hasBody ? part('body', body) : {};
  const idempotencyKey = operation.method === 'POST' ? readKey(request, details) : undefined;
  if (Object.keys(details).length > 0) throw new ValidationError(details);
  const agent = request.headers['user-agent'];
  return {
    caller: (request as { user?: Caller }).user ?? null,
    requestId: request.id,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    deadline: Date.now() + DEADLINE_MS,
    client: {
      address: request.ip,
      origin: request.publicOrigin,
      ...(agent !== undefined && { agent: agent.slice(0, 255) }),
    },
    ...parts,
    body: parsedBody,
  };
}

const takesNothing = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;

/** Names of fields that a sealed body should not have are the client's own words, and may be what it is sealed for. */
function explain({ sealed }: AnyOperation, { issues }: z.ZodError): Pick<z.ZodError, 'issues'> {
  if (!sealed) return { issues };
  return {
    issues: issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? { code: 'custom', path: issue.path, message: 'has a field that is not known' }
        : issue,
    ),
  };
}

function readKey(request: FastifyRequest, details: ErrorDetails): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  details['header.Idempotency-Key'] = 'must be 1 to 255 printable characters without spaces';
  return undefined;
}
