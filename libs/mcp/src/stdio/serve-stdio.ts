import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { MillraceClient } from '@millrace/client';
import { createServer } from '../create-server.js';
import { type ClientInfo, toUserAgent } from '../http/session-id.js';
import type { ServerOptions } from '../server-options.js';

interface StdioOptions extends Omit<ServerOptions, 'client'> {
  /** Opens a client of the REST API. `userAgent` names the client of the MCP server as soon as that is known. */
  openClient: (userAgent: () => string) => MillraceClient;
}

/** Serves one client over standard input and output, until it closes the input. */
export async function serveUntilClosed({ openClient, ...options }: StdioOptions): Promise<void> {
  const ended = once(process.stdin, 'close');
  const handle = serveStdio(
    () => {
      let named: ClientInfo | null = null;
      const client = openClient(() => toUserAgent(named ?? server.getClientVersion() ?? null));
      const server = createServer({ client, onClient: (info) => (named = info), ...options });
      return server;
    },
    { onerror: options.onDefect },
  );
  await ended;
  await handle.close();
}
