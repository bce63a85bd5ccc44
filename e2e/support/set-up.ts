import { rawRequest, type Account } from './sign-up.js';

/** Asks for what an example needs. @param operation method and path, filled in; @throws where it is refused */
export async function setUp(
  account: Account,
  operation: string,
  body?: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = operation.split(' ');
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await rawRequest(account, method, `/api${path}`, init);
  if (answer.status < 300) return answer.body;
  throw new Error(`${operation} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Id of a record that is made. */
export const make = async (...request: Parameters<typeof setUp>): Promise<string> =>
  String((await setUp(...request))['id']);
