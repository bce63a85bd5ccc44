import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { listDatasets } from '@millrace/contracts/datasets/datasets';
import { ApiError, ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { deleteWorkflow, listWorkflows } from '@millrace/contracts/workflows/workflows';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../start.js';

let system: GatewaySystem;
let workflows: FakeService;
let urls: string[];
const clients: { close(): Promise<void> }[] = [];
/** The requests that the workflows service got. */
let received: Envelope[];
const respond = (envelope: Envelope) => {
  received.push(envelope);
  return { results: [], count: 60 };
};
beforeAll(async () => {
  system = await gatewaySystem(start);
  workflows = await system.fake('workflows');
  (await system.fake('datasets')).on(listDatasets, () => ({ results: [], count: 0 }));
  urls = [await system.start(), await system.start()];
  workflows.on(listWorkflows, respond);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => system.close());

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const headers = (token = 'token') => ({ authorization: `Token ${token}` });

async function connect(options: { mode?: 'legacy' | 'auto'; fetch?: Fetch; token?: string } = {}): Promise<Client> {
  received = [];
  const client = new Client(
    { name: 'test client', version: '1.2' },
    { versionNegotiation: { mode: options.mode ?? 'auto' } },
  );
  const init = { requestInit: { headers: headers(options.token) }, ...(options.fetch && { fetch: options.fetch }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${urls[0]}/mcp`), init));
  clients.push(client);
  return client;
}

async function connectOld(fetch?: Fetch): Promise<OldClient> {
  received = [];
  const client = new OldClient({ name: 'old client', version: '1.0' });
  const init = { requestInit: { headers: headers() }, ...(fetch && { fetch }) };
  await client.connect(new OldTransport(new URL(`${urls[0]}/mcp`), init));
  clients.push(client);
  return client;
}

/** Sends each request to another copy of the gateway than the one before. */
function alternating(): Fetch {
  let count = 0;
  return (_url, init) => fetch(new URL('/mcp', urls[count++ % urls.length]), init);
}

describe.each([
  ['the client of protocol 2026-07-28', () => connect(), 'test client 1.2'],
  ['the same client with an older protocol', () => connect({ mode: 'legacy' }), 'test client 1.2'],
  ['the client of the former SDK', () => connectOld(), 'old client 1.0'],
  ['a client that reaches two copies in turn', () => connect({ fetch: alternating() }), 'test client 1.2'],
  ['an old client that reaches two copies in turn', () => connectOld(alternating()), 'old client 1.0'],
])('%s', (_, open, name) => {
  it('lists tools, calls them, and is named in the requests to the services', async () => {
    const client = await open();
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(25);
    const result = await client.callTool({ name: 'list_workflows', arguments: { search: 'x' } });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toEqual({ results: [], count: 60, next_page: 2 });
    const [envelope] = received;
    expect(envelope?.query).toMatchObject({ search: 'x', page_size: 25 });
    expect(envelope?.client).toMatchObject({ agent: `millrace-mcp (${name})`, address: '127.0.0.1' });
    expect(envelope?.caller).toMatchObject({ credential: 'token' });
  });
});

const list = async (args: Record<string, unknown> = {}) => {
  const client = await connect();
  const { isError, content } = await client.callTool({ name: 'list_workflows', arguments: args });
  const [first] = content as { text: string }[];
  return { isError, ...(JSON.parse(first?.text ?? '{}') as { error?: Record<string, unknown> }) };
};

describe('a tool that fails', () => {
  afterEach(() => workflows.on(listWorkflows, respond));

  it('returns the refusal of the service, which a model can explain', async () => {
    workflows.on(listWorkflows, () => Promise.reject(new ForbiddenError('You are a guest.')));
    expect(await list()).toEqual({ isError: true, error: { code: 'forbidden', message: 'You are a guest.' } });
  });

  it('names the wrong fields as the tool does', async () => {
    const { error } = await list({ page_size: 'many', ordering: '-size' });
    expect(error).toMatchObject({ code: 'validation_error', details: { ordering: expect.any(String) } });
    expect(Object.keys(error?.['details'] as object)).toEqual(expect.arrayContaining(['page_size', 'ordering']));
    expect(await list({ serach: 'x' })).toMatchObject({
      error: { details: { serach: expect.stringContaining('search') } },
    });
    expect((await list({ search: null, page: null })).isError).toBeFalsy();
    expect(received).toHaveLength(1);
    // The names in the REST API and in other tools.
    const { error: other } = await list({ space: 'x', projectId: 'y' });
    expect(other?.['details']).toEqual({
      space: expect.stringContaining('`space_id`'),
      projectId: expect.stringContaining('`project_id`'),
    });
    expect(received).toEqual([]);
  });

  it('returns the id of the request that led to a defect', async () => {
    workflows.on(listWorkflows, () => Promise.reject(new ApiError('internal_error', 'It failed.')));
    const { isError, error } = await list();
    const details = { request_id: expect.any(String) };
    expect([isError, error]).toEqual([true, { code: 'internal_error', message: 'It failed.', details }]);
  });

  it('is a protocol error only if there is no such tool, resource or prompt', async () => {
    const client = await connect();
    await expect(client.callTool({ name: 'nothing' })).rejects.toThrow('There is no tool "nothing"');
    for (const uri of ['millrace://nothing/1', 'millrace://workflows/%E0%A4%A', 'no uri']) {
      await expect(client.readResource({ uri })).rejects.toThrow(`Resource not found: ${uri}`);
    }
    await expect(client.getPrompt({ name: 'debug_failed_run' })).rejects.toThrow('requires the argument `run_id`');
  });
});

it('a tool without a result responds that it succeeded', async () => {
  workflows.on(deleteWorkflow, () => null);
  const client = await connect();
  const result = await client.callTool({ name: 'delete_workflow', arguments: { workflow_id: 'w' } });
  expect(result.structuredContent).toEqual({ success: true });
  const bad = await client.callTool({ name: 'delete_workflow', arguments: { workflow_id: '..' } });
  expect(bad).toMatchObject({ isError: true });
});

it('resources and prompts are listed, and the documentation can be read', async () => {
  const client = await connect();
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('millrace://docs/reference/workflow-data.md');
  const page = await client.readResource({ uri: 'millrace://docs/reference/workflow-data.md' });
  expect(page.contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('# The data') });
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(6);
  const { messages } = await client.getPrompt({ name: 'build_pipeline', arguments: { goal: 'count words' } });
  expect(JSON.stringify(messages)).toContain('count words');
});

describe('the endpoint', () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const post = async (body: string, more: Record<string, string> = {}, base = urls[0]) => {
    const accept = 'application/json, text/event-stream';
    const init = { method: 'POST', body, headers: { accept, 'content-type': 'application/json', ...more } };
    const response = await fetch(`${base}/mcp`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('refuses requests without valid credentials, and says what it accepts', async () => {
    for (const more of [{}, headers('unknown'), { authorization: 'Basic eDp5' }] as Record<string, string>[]) {
      const { status, headers: responded, text } = await post(ping, more);
      expect([status, responded.get('www-authenticate')]).toEqual([401, 'Bearer, Token']);
      expect(JSON.parse(text)).toMatchObject({ code: 'unauthenticated' });
    }
  });

  it('refuses pages of other origins, and accepts its own and those of CORS_ORIGINS', async () => {
    const send = async (origin: string, base = urls[0]) => (await post(ping, { ...headers(), origin }, base)).status;
    expect(await send('https://evil.example.org')).toBe(403);
    expect(await send('null')).toBe(403);
    expect(await send(urls[0]!)).toBe(200);
    const env = { PUBLIC_URL: 'https://millrace.example.org', CORS_ORIGINS: 'https://app.example.org' };
    const known = await system.start(env);
    expect(await send('https://millrace.example.org', known)).toBe(200);
    expect(await send('https://app.example.org', known)).toBe(200);
    expect(await send('http://localhost:8080', known)).toBe(403);
  });

  it.each([
    ['no JSON', '{', {}, 400],
    ['another content type', ping, { 'content-type': 'text/plain' }, 415],
    ['no message', '{"a":1}', {}, 400],
    ['more than 4 MiB', JSON.stringify({ a: 'x'.repeat(4.1 * 1024 * 1024) }), {}, 413],
    ['an unknown version of the protocol', ping, { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('refuses a body with %s', async (_, body, more, expected) => {
    const { status, text } = await post(body, { ...headers(), ...more });
    expect(status).toBe(expected);
    expect(() => void JSON.parse(text)).not.toThrow();
  });

  it('has no stream of its own and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const accept = 'text/event-stream';
      expect((await fetch(`${urls[0]}/mcp`, { method, headers: { ...headers(), accept } })).status).toBe(405);
    }
  });

  it('counts requests for the rate limit', async () => {
    const limited = await system.start({ RATE_LIMIT_PER_MINUTE: '6' });
    system.callers.set('limited', [...system.callers.values()][0]!);
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await post(ping, headers('limited'), limited)).status);
    expect(statuses).toContain(429);
  });
});
