import type { Operation } from '@millrace/contracts/kit/operation';

export interface ReadOptions {
  baseUrl: string;
  /** Whether a field that is missing, or whose type differs from the contract, is a failure. */
  check: boolean;
}

/**
 * The JSON of an answer 2xx; null of one without content.
 * @throws UnexpectedResponseError for anything else
 */
export async function readResponse(operation: Operation, response: Response, options: ReadOptions): Promise<unknown> {
  const answer = response.status === 204 ? null : parse(await response.text());
  const fault = answer === undefined ? describeBody(response) : options.check ? findFault(operation, answer) : null;
  if (fault === null) return answer;
  const { method, path } = operation;
  throw new UnexpectedResponseError(
    `${options.baseUrl} does not answer ${method} /api${path} as a Millrace server does: ${fault}. Is the address right?`,
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
  return type === undefined || type === 'application/json' ? 'that is no JSON' : `that is ${type}, no JSON`;
}

/** Other faults than of type are let pass: a newer server may know more values than the contract of this client. */
function findFault(operation: Operation, answer: unknown): string | null {
  const { error } = operation.response.safeParse(answer);
  const issue = error?.issues.find(({ code }) => code === 'invalid_type');
  if (!issue) return null;
  const field = issue.path.map(String).join('.');
  return field === '' ? 'that is other JSON' : `${JSON.stringify(field)} is missing or of another type`;
}

/**
 * An answer that is none of a Millrace server: not JSON, or not what the contract promises. Something else is at that
 * address, or in between. The message is one line and names the address.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}
