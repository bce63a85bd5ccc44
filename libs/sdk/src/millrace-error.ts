/** An error that the server reports. `code` is one of the API's error codes; `details` maps fields to descriptions. */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> | undefined,
    readonly requestId: string | undefined,
    /** The requested URL, after redirects. */
    readonly url?: string,
  ) {
    super(message);
  }

  /** Whether another server, such as a proxy, sent the error. Millrace may not have received the request. */
  get isForeign(): boolean {
    return this.code.startsWith('http_');
  }
}

/** Reads the error from a response. An error of another server, such as a proxy, has the status and the text of the response. */
export async function readError(response: Response): Promise<MillraceError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  if (typeof body?.code === 'string' && typeof body.message === 'string') {
    const details = isRecord(body.details) ? body.details : undefined;
    return new MillraceError(response.status, body.code, body.message, details, requestId, response.url);
  }
  const message =
    text.trim().slice(0, 200).toWellFormed() ||
    `The server responded with status ${response.status} ${response.statusText}`.trim();
  return new MillraceError(response.status, `http_${response.status}`, message, undefined, requestId, response.url);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
