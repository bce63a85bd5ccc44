import { checkedFetch } from '../support/checked-fetch.js';
import { systemUrl } from '../support/sign-up.js';
import type { DocumentedRequest } from './world.js';

export interface ReceivedResponse {
  status: number;
  type: string;
  text: string;
}

/**
 * Sends a request as a reader of the interface document would write it.
 * @param operation method and path
 * @param authorization value of the Authorization header; null sends no header
 */
export async function sendDocumented(
  operation: string,
  { path = {}, query = {}, body }: DocumentedRequest,
  authorization: string | null,
): Promise<ReceivedResponse> {
  const [method = '', template = ''] = operation.split(' ');
  const filledPath = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const response = await checkedFetch(`${systemUrl()}/api${filledPath}?${new URLSearchParams(query).toString()}`, {
    method,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text() };
}
