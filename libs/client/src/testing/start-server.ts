import { serve } from '@millrace/testkit/serve';
import { MillraceClient } from '../client.js';
import type { ClientOptions } from '../core.js';

const open: { close(): Promise<void> }[] = [];

/** Starts a server that responds with `respond`, and opens a client for it. */
export async function startServer(respond: Parameters<typeof serve>[0], options: Partial<ClientOptions> = {}) {
  const server = await serve(respond);
  open.push(server);
  return { ...server, client: new MillraceClient({ baseUrl: server.url, token: 'secret', ...options }) };
}

/** Stops the servers of a test. */
export async function stopServers(): Promise<void> {
  for (const server of open.splice(0)) await server.close();
}
