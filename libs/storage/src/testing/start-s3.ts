import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export interface TestS3 {
  /** A STORAGE_URL without a prefix. */
  url: string;
  endpoint: string;
  /** AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
  credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  /** Folder of its objects. */
  folder: string;
  close(): Promise<void>;
}

/**
 * Starts an S3-compatible server with one bucket in this process; s3rver accepts only its own credentials.
 * @param address of this machine; a host name would be read as a bucket
 */
export async function startS3(address = '127.0.0.1'): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-s3-'));
  const server = new S3rver({
    address,
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'objects' }],
  });
  const { port } = await server.run();
  const endpoint = `http://${address}:${port}`;
  return {
    url: `s3://objects?endpoint=${endpoint}`,
    endpoint,
    credentials: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    folder,
    close: async () => {
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
