import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As it was sent, in its content encoding. */
  body: Buffer;
}

/**
 * A GET whose headers and path are sent unmodified, and whose body is not decoded; fetch does more.
 * @param path instead of that of the URL
 */
export async function getRaw(url: string, headers: Record<string, string>, path?: string): Promise<RawResponse> {
  const request = get(url, { headers, ...(path !== undefined && { path }) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}
