import { attentiveFetch } from '../support/attentive-fetch.js';
import { systemUrl } from '../support/sign-up.js';
import type { DocumentedRequest } from './world.js';

export interface Answer {
  status: number;
  type: string;
  text: string;
}

/**
 * Sends a request as its reader of the document would write it.
 * @param operation method and path
 * @param authorization the header, or none
 */
export async function sendDocumented(
  operation: string,
  { path = {}, query = {}, body }: DocumentedRequest,
  authorization: string | null,
): Promise<Answer> {
  const [method = '', template = ''] = operation.split(' ');
  const at = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const response = await attentiveFetch(`${systemUrl()}/api${at}?${new URLSearchParams(query).toString()}`, {
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
