import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from './repository.js';

/** What scripts/lib/test has for servers with TLS. */
interface TlsServers {
  startRedis(
    this: void,
    folder: string,
    port: number,
    options: { addresses: string[]; password: string; clientCertificates: 'yes' | 'optional' },
  ): ChildProcess;
  startNats(this: void, folder: string, port: number, passwords: Record<string, string>): ChildProcess;
}

const load = (path: string): Promise<unknown> => import(pathToFileURL(join(REPOSITORY, 'scripts/lib/test', path)).href);

export const loadTlsServers = async (): Promise<TlsServers> => (await load('start-tls-servers.mjs')) as TlsServers;

/** Makes the files of scripts/lib/test/make-certificates.mjs. @param addresses of the servers */
export async function makeCertificates(folder: string, addresses: string[]): Promise<void> {
  const module = (await load('make-certificates.mjs')) as {
    makeCertificates(folder: string, addresses: string[]): void;
  };
  module.makeCertificates(folder, addresses);
}
