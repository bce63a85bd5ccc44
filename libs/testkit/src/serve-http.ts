import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ServedHttp {
  /** Has no trailing slash. */
  url: string;
  /** Closes the server and all its connections. */
  close(): Promise<void>;
}

/** Starts an HTTP server on a free loopback port. */
export async function serveHttp(listener: RequestListener): Promise<ServedHttp> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
