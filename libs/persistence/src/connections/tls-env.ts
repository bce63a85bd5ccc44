import { z } from 'zod';
import { findSslModeProblem } from './postgres-options.js';
import { tlsOptions, TlsFileError, type TlsFiles } from './tls-options.js';

/**
 * Servers with TLS settings, and the beginnings of a URL that uses TLS; Postgres has `sslmode` instead. A joined worker reaches
 * NATS by the WebSocket of the gateway.
 */
const SECURE_SCHEMES = { DATABASE: [], REDIS: ['rediss://'], NATS: ['tls://', 'wss://'] } as const;
type Server = keyof typeof SECURE_SCHEMES;

type TlsVariables = Record<string, string | undefined>;

/** The variables of the TLS files of a server: paths of PEM files (docs/guides/tls.md). */
export function tlsFiles<S extends Server>(server: S) {
  const path = z.string().optional();
  return {
    [`${server}_CA_FILE`]: path,
    [`${server}_CERT_FILE`]: path,
    [`${server}_KEY_FILE`]: path,
  } as Record<`${S}_${'CA' | 'CERT' | 'KEY'}_FILE`, typeof path>;
}

/** The files for the connections to a server; undefined if none is set. */
export function tlsFilesOf(env: object, server: Server): TlsFiles | undefined {
  const files = Object.entries({ ca: 'CA', cert: 'CERT', key: 'KEY' }).flatMap(([file, name]) => {
    const path = (env as TlsVariables)[`${server}_${name}_FILE`];
    return path === undefined ? [] : [[file, path]];
  });
  return files.length === 0 ? undefined : (Object.fromEntries(files) as TlsFiles);
}

/** What is wrong with the TLS settings: each problem begins with the name of a setting. */
export function findTlsProblems(env: object): string[] {
  const variables = env as TlsVariables;
  return (Object.keys(SECURE_SCHEMES) as Server[]).flatMap((server) => {
    const url = variables[`${server}_URL`];
    const files = tlsFilesOf(env, server);
    if (url === undefined) return [];
    const mode = server === 'DATABASE' ? findSslModeProblem(url, files) : null;
    if (mode !== null) return [`DATABASE_URL ${mode}`];
    return files ? [...findSchemeProblem(server, url), ...findFileProblem(server, files)] : [];
  });
}

function findSchemeProblem(server: Server, url: string): string[] {
  const [first, ...others] = SECURE_SCHEMES[server];
  return first === undefined || [first, ...others].some((scheme) => url.startsWith(scheme))
    ? []
    : [`${server}_URL must begin with ${first}, because files for TLS are set`];
}

function findFileProblem(server: Server, files: TlsFiles): string[] {
  try {
    tlsOptions(files);
    return [];
  } catch (error) {
    if (!(error instanceof TlsFileError)) throw error;
    return [`${server}_${error.file.toUpperCase()}_FILE ${error.message}`];
  }
}
