import { execFileSync, spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHttp } from './serve-http.js';

export interface ServedRepository {
  /** URL of the repository, served by git as on a hosting service. */
  url: string;
  /** URL of the repository's plain files, served by a web server without git. */
  plainUrl: string;
  /** Hash of the commit at HEAD. */
  commit: string;
  /** Runs git in the work tree. A commit is served from the next request on. */
  git(...args: string[]): string;
  /** The work tree. */
  folder: string;
  /** The `authorization` headers of all requests so far. */
  authorizations: Set<string | undefined>;
  close(): Promise<void>;
}

/** Serves a git repository on the loopback address. `fill` writes its files into the work tree. */
export async function serveRepository(fill: (folder: string) => void): Promise<ServedRepository> {
  const root = mkdtempSync(join(tmpdir(), 'repository-'));
  const folder = join(root, 'work');
  const git = (...args: string[]) => {
    const config = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...config, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  const gitInWorkTree = (...args: string[]) => {
    const output = git('-C', folder, ...args);
    git('-C', folder, 'update-server-info');
    return output;
  };
  git('init', '--quiet', folder);
  fill(folder);
  gitInWorkTree('add', '--all');
  gitInWorkTree('commit', '--quiet', '-m', 'first');
  const authorizations = new Set<string | undefined>();
  const server = await serveHttp((request, response) => {
    authorizations.add(request.headers.authorization);
    if (request.url?.startsWith('/plain/')) return sendFile(join(folder, '.git', request.url.slice(7)), response);
    serveGit(folder, request, response);
  });
  return {
    url: `${server.url}/work.git`,
    plainUrl: `${server.url}/plain`,
    commit: gitInWorkTree('rev-parse', 'HEAD'),
    git: gitInWorkTree,
    folder,
    authorizations,
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function sendFile(path: string, response: ServerResponse): void {
  const file = createReadStream(path.split('?')[0] ?? path);
  file.on('error', () => response.writeHead(404).end());
  file.pipe(response);
}

/** Serves a request with git-http-backend(1), over CGI. */
function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_PROJECT_ROOT: join(folder, '.git'),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname.replace('/work.git', ''),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin).on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(output.subarray(end + 4));
  });
}
