import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { json, serve } from '@millrace/testkit/serve';
import { saveAccount } from '../account/credentials-file.js';
import { CliHost } from '../testing/cli-host.js';

let folder: string;
const host = new CliHost();
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-odd-'));
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  await rm(folder, { recursive: true, force: true });
});

afterAll(() => host.close());

const html = (response: ServerResponse, status: number) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html>\n<title>Router</title>\n');
const RESPONSES: [string, (response: ServerResponse) => unknown][] = [
  ['an HTML page', (response) => html(response, 200)],
  ['a JSON object of a different type', (response) => json(response, 200, { hello: 'world' })],
  ['a JSON list', (response) => json(response, 200, [])],
  ['JSON null', (response) => json(response, 200, null)],
  ['an empty body', (response) => response.end()],
  ['no content', (response) => response.writeHead(204).end()],
  ['an HTML page with status 404', (response) => html(response, 404)],
  ['control characters for the terminal', (response) => response.writeHead(400).end('no\n\u001b[2Jno')],
];

async function startServer(respond: (response: ServerResponse) => unknown) {
  const server = await serve((_, response) => void respond(response));
  open.push(server);
  return server.url;
}

describe.each(RESPONSES)('a server that is not Millrace and responds with %s', (_, respond) => {
  it.each([
    ['whoami', ['whoami']],
    ['runs', ['runs']],
    ['output', ['output', '7']],
    ['run', ['run', 'examples/checksums.yaml']],
    ['login', ['login']],
  ])('is reported by %s in one line with the address', async (__, args) => {
    const url = await startServer(respond);
    const token = args[0] === 'login' ? {} : { MILLRACE_TOKEN: 'token' };
    const env = { MILLRACE_URL: url, XDG_CONFIG_HOME: folder, ...token };
    const { code, stdout, stderr } = await host.run(args, { env });
    expect(code).toBe(5);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^http:[^\p{Cc}]* Millrace server[^\p{Cc}]*\. Is the address right\?\n$/u);
    expect(stderr).toContain(url);
  });

  it('does not delete the stored session', async () => {
    const url = await startServer(respond);
    const file = join(folder, 'millrace', 'credentials.json');
    await saveAccount(file, url, { session: { access: 'a.b.c', refresh: 'r', expiresAt: '2020-01-01T00:00:00.000Z' } });
    const before = await readFile(file, 'utf8');
    const { code, stderr } = await host.run(['whoami'], { env: { XDG_CONFIG_HOME: folder } });
    expect(code).toBe(5);
    expect(stderr).toContain('Is the address right?');
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

it.each(['nowhere', 'ftp://127.0.0.1', 'http://me:secret@127.0.0.1:1'])('--url %s is rejected', async (url) => {
  const { code, stderr } = await host.run(['whoami', '--url', url], { env: { XDG_CONFIG_HOME: folder } });
  expect(code).toBe(2);
  expect(stderr).toContain('Use an address like https://millrace.example.org.');
});
