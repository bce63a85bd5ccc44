import { toLostConnection } from './lost-connection.js';
import type { Operation } from './operation.js';
import type { HttpRequest } from './transport.js';

/**
 * Checks the JSON of a response. Returns its first problem as part of a sentence, or null.
 * @param operation name of the operation
 */
export type Validate = (operation: string, body: unknown) => string | null | Promise<string | null>;

export interface ReadOptions {
  baseUrl: string;
  validate: Validate | undefined;
  request: HttpRequest;
}

/**
 * Returns the JSON of a 2xx response, or null if the response has no content.
 * @throws UnexpectedResponseError if the response is not JSON, or if `validate` finds a problem
 * @throws ConnectionError if the connection is lost before the end of the response
 */
export async function readResponse(operation: Operation, response: Response, options: ReadOptions): Promise<unknown> {
  const body = response.status === 204 ? null : parse(await readText(response, options.request));
  const problem =
    body === undefined ? describeBody(response) : ((await options.validate?.(operation.name, body)) ?? null);
  if (problem === null) return body;
  throw unexpectedResponse(operation, options.baseUrl, problem);
}

/** @throws UnexpectedResponseError if a 2xx response has another media type than `expected`, such as `text/event-stream` */
export function requireType(operation: Operation, baseUrl: string, { headers }: Response, expected: string): void {
  const type = typeOf(headers);
  if (type?.toLowerCase() === expected) return;
  const problem =
    type === undefined ? `the response is not ${expected}` : `the response is ${type} instead of ${expected}`;
  throw unexpectedResponse(operation, baseUrl, problem);
}

const unexpectedResponse = ({ method, path }: Operation, baseUrl: string, problem: string) =>
  new UnexpectedResponseError(
    `${baseUrl} does not respond to ${method} /api${path} as a Millrace server does: ${problem}. Is the address right?`,
  );

async function readText(response: Response, request: HttpRequest): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw toLostConnection(error, request);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The media type without its parameters. */
const typeOf = (headers: Headers): string | undefined =>
  /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '')?.[0];

function describeBody({ headers }: Response): string {
  const type = typeOf(headers);
  return type === undefined || type === 'application/json'
    ? 'the response is not JSON'
    : `the response is ${type} instead of JSON`;
}

/**
 * The response has another media type than expected, or does not match the contract, so probably another server sent it. The message is one line and
 * names the address.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}
