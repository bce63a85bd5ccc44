import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ServedHttp {
  /** Without a slash at the end. */
  url: string;
  /** Ends it with all of its connections. */
  close(): Promise<void>;
}

/** An HTTP server on a free port of this machine's loopback. */
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
