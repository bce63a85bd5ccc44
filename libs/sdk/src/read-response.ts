import type { Operation } from '@millrace/contracts/kit/operation';

export interface ReadOptions {
  baseUrl: string;
  /** Whether to fail if a field is missing or its type differs from the contract. */
  check: boolean;
}

/**
 * Returns the JSON of a 2xx response, or null if the response has no content.
 * @throws UnexpectedResponseError if the response is not JSON, or does not match the contract and `check` is set
 */
export async function readResponse(operation: Operation, response: Response, options: ReadOptions): Promise<unknown> {
  const body = response.status === 204 ? null : parse(await response.text());
  const problem = body === undefined ? describeBody(response) : options.check ? findProblem(operation, body) : null;
  if (problem === null) return body;
  const { method, path } = operation;
  throw new UnexpectedResponseError(
    `${options.baseUrl} does not respond to ${method} /api${path} as a Millrace server does: ${problem}. Is the address right?`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeBody({ headers }: Response): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '')?.[0];
  return type === undefined || type === 'application/json'
    ? 'the response is not JSON'
    : `the response is ${type} instead of JSON`;
}

/** Accepts unknown values of the right type, because a newer server may have more values than the contract of this client. */
function findProblem(operation: Operation, body: unknown): string | null {
  const { error } = operation.response.safeParse(body);
  const issue = error?.issues.find(({ code }) => code === 'invalid_type');
  if (!issue) return null;
  const field = issue.path.map(String).join('.');
  return field === ''
    ? 'the response is JSON of a different type'
    : `the field ${JSON.stringify(field)} is missing or has a different type`;
}

/**
 * The response is not JSON or does not match the contract, so probably another server sent it. The message is one line and
 * names the address.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}
