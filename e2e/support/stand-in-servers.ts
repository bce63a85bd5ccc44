import { execFile } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { decode, encode, RECURSION_DESIRED, type Answer } from 'dns-packet';

const run = promisify(execFile);

/** Loopback servers that replace the servers in the examples of network modules. */
export interface StandIns {
  /** Replaces the addresses in a text of an example with the addresses of these servers. */
  replaceAddresses(text: string): string;
  stop(): Promise<void>;
}

export async function startStandIns(): Promise<StandIns> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-stand-ins-'));
  await Promise.all([makeRepository(folder), makeCertificate(folder)]);
  const key = readFileSync(join(folder, 'key.pem'));
  const http = createHttpServer(respondToHttp(folder));
  const tls = createTlsServer({ key, cert: readFileSync(join(folder, 'cert.pem')) }, (socket) => socket.end());
  tls.on('tlsClientError', () => undefined);
  const dns = createSocket('udp4').on('message', (message, from) => {
    dns.send(respondToDns(message), from.port, from.address);
  });
  dns.bind(0, '127.0.0.1');
  for (const server of [http, tls]) server.listen(0, '127.0.0.1');
  await Promise.all([http, tls, dns].map((server) => once(server, 'listening')));
  const addresses = new Map([
    // The first replacement, because the ports of the other servers may contain these digits.
    ['8000', String(portOf(http))],
    ['files.example.test', `127.0.0.1:${portOf(http)}`],
    ['tls.example.test:443', `127.0.0.1:${portOf(tls)}`],
    ['192.0.2.53:53', `127.0.0.1:${portOf(dns)}`],
  ]);
  return {
    replaceAddresses: (text) => [...addresses].reduce(replaceAddress, text),
    stop: async () => {
      http.closeAllConnections();
      await Promise.all([http, tls, dns].map((server) => promisify(server.close.bind(server))()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const portOf = (server: Server | Socket): number => (server.address() as AddressInfo).port;

/** Replaces an address in plain text and in regular expressions. */
const replaceAddress = (text: string, [from, to]: [string, string]): string =>
  text.replaceAll(from, to).replaceAll(from.replaceAll('.', '\\.'), to.replaceAll('.', '\\.'));

const PAGE = '<!doctype html>\n<html><head><title>One &amp; two</title></head><body>words words</body></html>\n';

function* endless() {
  for (const chunk = Buffer.alloc(1 << 18, 'x'); ;) yield chunk;
}

function respondToHttp(folder: string): RequestListener {
  return (request, response) => {
    const url = request.url ?? '/';
    if (url === '/hello.txt') return response.setHeader('content-type', 'text/plain').end('hello over http\n');
    if (url === '/page.html') return response.setHeader('content-type', 'text/html').end(PAGE);
    if (url === '/endless') {
      // The response has no Content-Length and never ends.
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Much</title>');
      return void Readable.from(endless()).pipe(response);
    }
    if (url === '/moved') return response.writeHead(302, { location: '/hello.txt', 'content-length': 0 }).end();
    if (url.startsWith('/echo')) {
      return void buffer(request).then((body) => {
        const echoed = `${request.method} ${url} ${String(request.headers['x-one'])} ${body.toString()}`;
        response.writeHead(201, { 'x-answer': 'yes' }).end(echoed);
      });
    }
    const file = /^\/(repository\.git\/[\w./-]+)(?:\?|$)/.exec(url)?.[1];
    try {
      if (file === undefined) throw new Error('no such file');
      return response.end(readFileSync(join(folder, file)));
    } catch {
      return response.writeHead(404).end('nothing here\n');
    }
  };
}

const WWW = 'www.example.test';
const RECORDS: Answer[] = [
  { type: 'A', name: WWW, ttl: 60, data: '192.0.2.10' },
  { type: 'A', name: WWW, ttl: 60, data: '192.0.2.11' },
  { type: 'PTR', name: '10.2.0.192.in-addr.arpa', ttl: 60, data: WWW },
];

function respondToDns(message: Buffer): Buffer {
  const { id, questions = [] } = decode(message);
  const [question] = questions;
  const answers = RECORDS.filter(({ name, type }) => name === question?.name && type === question.type);
  const isKnownName = RECORDS.some(({ name }) => name === question?.name);
  // RFC 1035, 4.1.1: the low four bits of the flags are the response code, and 3 means that the name does not exist.
  const flags = RECURSION_DESIRED | (isKnownName ? 0 : 3);
  return encode({ type: 'response', id: id ?? 0, flags, questions, answers });
}

async function makeCertificate(folder: string): Promise<void> {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=tls.example.test', '-addext', 'subjectAltName=DNS:tls.example.test'];
  await run('openssl', [...args, ...name, '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: folder });
}

/** Makes a repository that any static web server can serve (git-update-server-info(1)). */
async function makeRepository(folder: string): Promise<void> {
  const script = `
    git init --quiet --initial-branch=main work && cd work
    mkdir src && echo '# Example' > README.md && echo main > src/main.txt
    git add . && git commit --quiet --message 'first'
    git commit --quiet --allow-empty --message 'second: "more"'
    git clone --quiet --bare . ../repository.git && git -C ../repository.git update-server-info`;
  const identity = (role: string) => ({
    [`GIT_${role}_NAME`]: 'Ann',
    [`GIT_${role}_EMAIL`]: 'ann@example.org',
    [`GIT_${role}_DATE`]: '2024-01-02T03:04:05Z',
  });
  const own = { GIT_CONFIG_GLOBAL: '/dev/null', ...identity('AUTHOR'), ...identity('COMMITTER') };
  await run('bash', ['-euc', script], { cwd: folder, env: { PATH: process.env.PATH, ...own } });
}
