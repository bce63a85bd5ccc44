import { tlsOptions, type ServerTlsOptions, type TlsFiles } from './tls-options.js';

/** Where a database is, and how its connections are protected. It can be sent to a thread. */
export interface PostgresServer {
  url: string;
  tls?: TlsFiles;
}

/** The part of the configuration of a `pg` client or pool that says where to connect. */
export interface PostgresOptions {
  connectionString: string;
  ssl: ServerTlsOptions | false;
}

/** Files have settings of their own, so that renewed ones are read again. */
const REPLACED_PARAMETERS = { sslrootcert: '_CA_FILE', sslcert: '_CERT_FILE', sslkey: '_KEY_FILE' };

/**
 * Options of all connections to a server. Connections use TLS and verify the server if the URL has `sslmode=verify-full`
 * or `sslmode=require`, or if there are files. The modes of libpq that skip a part of the verification are not accepted.
 * @throws TlsFileError if a file cannot be used; Error if `findSslModeProblem` finds a problem
 */
export function postgresOptions({ url, tls = {} }: PostgresServer): PostgresOptions {
  const problem = findSslModeProblem(url, tls);
  if (problem) throw new Error(`The URL of the database ${problem}`);
  const plain = new URL(url);
  const mode = plain.searchParams.get('sslmode');
  // Otherwise pg would derive its own settings from it.
  plain.searchParams.delete('sslmode');
  const usesTls = mode === null ? hasFiles(tls) : mode !== 'disable';
  return { connectionString: plain.href, ssl: usesTls && tlsOptions(tls) };
}

/** @returns the end of a sentence that begins with the name of the setting; null if the URL is accepted */
export function findSslModeProblem(url: string, tls: TlsFiles = {}): string | null {
  if (!URL.canParse(url)) return 'is not a URL';
  const { searchParams } = new URL(url);
  for (const [name, setting] of Object.entries(REPLACED_PARAMETERS))
    if (searchParams.has(name)) return `contains ${name}; set DATABASE${setting} instead`;
  if (searchParams.has('ssl')) return 'contains ssl; use sslmode=verify-full or sslmode=disable';
  const mode = searchParams.get('sslmode');
  if (mode === 'disable' && hasFiles(tls)) return 'has sslmode=disable, but files for TLS are set; remove one of both';
  if (mode === null || ['disable', 'require', 'verify-full'].includes(mode)) return null;
  return `has sslmode=${mode}, which does not verify the server completely; use verify-full, or disable for a connection without TLS`;
}

const hasFiles = (tls: TlsFiles): boolean => Object.values(tls).some((path) => path !== undefined);
