import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';

/** Paths of PEM files for the connections to one server. */
export interface TlsFiles {
  /** Certificates of the authorities that sign the server's certificate, instead of the public ones. */
  ca?: string;
  /** Certificate of this client, with the intermediate ones after it. Set it together with `key`. */
  cert?: string;
  key?: string;
}

/** A file that cannot be used. The message continues the name of its setting. */
export class TlsFileError extends Error {
  constructor(
    readonly file: keyof TlsFiles,
    message: string,
  ) {
    super(message);
  }
}

/** Options that `tls.connect` and the clients of Postgres, Redis and NATS accept. */
export interface ServerTlsOptions {
  readonly secureContext: SecureContext;
  rejectUnauthorized: true;
}

/**
 * Options for connections that verify the certificate of the server and its name. Each new connection uses the files as
 * they are then: the clients read `secureContext` whenever they connect. If renewed files are not complete yet, the
 * former ones stay in use.
 * @throws TlsFileError if a file cannot be used now
 */
export function tlsOptions(files: TlsFiles): ServerTlsOptions {
  let loaded = { state: stateOf(files), context: loadContext(files) };
  return {
    get secureContext() {
      const state = stateOf(files);
      if (state !== loaded.state) loaded = { state, context: reloadContext(files) ?? loaded.context };
      return loaded.context;
    },
    // NODE_TLS_REJECT_UNAUTHORIZED must not turn it off.
    rejectUnauthorized: true,
  };
}

/** Changes when a file is written or replaced, also through a symbolic link. */
function stateOf({ ca, cert, key }: TlsFiles): string {
  const states = [ca, cert, key].map((path) => {
    const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs];
  });
  return JSON.stringify(states);
}

function reloadContext(files: TlsFiles): SecureContext | null {
  try {
    return loadContext(files);
  } catch (error) {
    // Not the logger of Nest, because threads that must stay small connect, too.
    process.emitWarning(`Changed TLS files cannot be used; the former ones stay in use: ${describe(error)}`);
    return null;
  }
}

const describe = (error: unknown): string =>
  error instanceof TlsFileError ? `${error.file} ${error.message}` : String(error);

function loadContext(files: TlsFiles): SecureContext {
  const [ca, cert, key] = [readPem(files, 'ca'), readPem(files, 'cert'), readPem(files, 'key')];
  if (cert !== undefined && key === undefined)
    throw new TlsFileError('key', 'is required, because the certificate of the client is set');
  if (key !== undefined && cert === undefined)
    throw new TlsFileError('cert', 'is required, because the key of the client is set');
  if (ca !== undefined) requireCertificate('ca', ca, files);
  if (cert !== undefined) requireCertificate('cert', cert, files);
  try {
    return createSecureContext({ ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) });
  } catch (error) {
    throw new TlsFileError('key', `${files.key} is not the key of ${files.cert} (${(error as Error).message})`);
  }
}

function readPem(files: TlsFiles, file: keyof TlsFiles): Buffer | undefined {
  const path = files[file];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TlsFileError(file, `cannot be read (${(error as Error).message})`);
  }
}

/** OpenSSL ignores a file without certificates, and then every server is refused without a reason. */
function requireCertificate(file: keyof TlsFiles, pem: Buffer, files: TlsFiles): void {
  try {
    new X509Certificate(pem);
  } catch {
    throw new TlsFileError(file, `${files[file]} does not contain a certificate in PEM format`);
  }
}
