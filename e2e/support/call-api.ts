import { rawRequest, type Account } from './sign-up.js';

/**
 * Sends a request that must succeed.
 * @param operation method and path with ids, such as `GET /runs/7`
 * @returns the body of the response
 * @throws Error with status and body, if the status is not a success
 */
export async function callApi(
  account: Account,
  operation: string,
  body?: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = operation.split(' ');
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await rawRequest(account, method, `/api${path}`, init);
  if (response.status < 300) return response.body;
  throw new Error(`${operation} responded with ${response.status}: ${JSON.stringify(response.body)}`);
}

/** Creates a record with a request. @returns its id */
export const createRecord = async (...request: Parameters<typeof callApi>): Promise<string> =>
  String((await callApi(...request))['id']);
