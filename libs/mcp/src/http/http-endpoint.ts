import { CLIENT_INFO_META_KEY, createMcpHandler } from '@modelcontextprotocol/server';
import type { MillraceClient } from '@millrace/client';
import { createServer } from '../create-server.js';
import type { DocsPages } from '../docs/docs-pages.js';
import { type ClientInfo, createSessionId, readSessionId, toClientInfo } from './session-id.js';

export interface HttpEndpointOptions {
  docs: DocsPages;
  onDefect: (error: unknown) => void;
}

/** One request to the endpoint. */
export interface HttpCall {
  /** Its signal aborts when the client disconnects. */
  request: Request;
  /** The parsed body; undefined if there is none. */
  body: unknown;
  /** Opens a client of the REST API with the credentials of the request, which names the client of the MCP server. */
  openClient: (info: ClientInfo | null) => MillraceClient;
}

/**
 * The MCP server over streamable HTTP. It keeps nothing between two requests, so any copy can respond to each of them: each
 * request gets a server of its own, and progress travels in the response to the call.
 */
export class HttpEndpoint {
  constructor(private readonly options: HttpEndpointOptions) {}

  async respond({ request, body, openClient }: HttpCall): Promise<Response> {
    const info = findClientInfo(request, body);
    const { docs, onDefect } = this.options;
    const handler = createMcpHandler(() => createServer({ client: openClient(info), docs, onDefect }), {
      onerror: () => undefined,
    });
    const response = await handler.fetch(request, { ...(body !== undefined && { parsedBody: body }) });
    if (isInitialization(body) && response.ok) {
      response.headers.set('mcp-session-id', createSessionId(info ?? { name: '', version: '' }));
    }
    return response;
  }
}

interface Message {
  method?: unknown;
  params?: { clientInfo?: unknown; _meta?: Record<string, unknown> };
}

const isInitialization = (body: unknown): boolean => isRecord(body) && body['method'] === 'initialize';

/** The client names itself in each request, or in the first one of a session. */
function findClientInfo(request: Request, body: unknown): ClientInfo | null {
  const { params } = isRecord(body) ? (body as Message) : {};
  const named = isRecord(params) ? (params.clientInfo ?? params._meta?.[CLIENT_INFO_META_KEY]) : undefined;
  return toClientInfo(named) ?? readSessionId(request.headers.get('mcp-session-id') ?? '');
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
