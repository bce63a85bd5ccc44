import { describe, expect, it } from '@jest/globals';
import { describeApi } from './openapi.js';
import { restOperations } from './registry.js';

const description = describeApi('https://millrace.example.org') as {
  servers: { url: string }[];
  paths: Record<string, Record<string, Record<string, unknown>>>;
};

const of = (name: string): Record<string, unknown> => {
  const all = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  return all.find(({ operationId }) => operationId === name) ?? {};
};

interface Page {
  schema: { properties: Record<string, unknown> };
}

describe('the description', () => {
  it('holds every operation at its place, with its success and its failures', () => {
    for (const { path, method, name, status } of restOperations) {
      const described = description.paths[path]?.[method.toLowerCase()];
      expect(described).toMatchObject({ operationId: name });
      expect(Object.keys(described?.['responses'] as object)).toEqual(
        expect.arrayContaining([String(status), '400', '500']),
      );
    }
  });

  it.each([
    ...['datasets.create', 'solutions.create', 'solutions.copy', 'exports.create'],
    ...['reportingNodes.create', 'detectedTables.save'],
  ])('says that datasets.%s may be 404 for what its body names', (name) => {
    expect(of(`datasets.${name}`)['responses']).toHaveProperty('404');
  });

  it.each([
    ['workflows.hooks.fire', '403'],
    ['billing.stripeEvents.take', '404'],
    ['workflows.secrets.list', '404'],
    ['workflows.secrets.create', '404'],
    ['workflows.folders.create', '404'],
    ['workflows.folders.list', '404'],
    ['workflows.folders.delete', '404'],
    ['workflows.workflows.import', '404'],
    ['datasets.queryFolders.create', '404'],
    ['datasets.detectedTables.list', '404'],
    ['workflows.files.download', '416'],
    ['auth.sessions.signup', '429'],
  ])('says that %s may be %s', (name, status) => {
    expect(of(name)['responses']).toHaveProperty(status);
  });

  it('says that a body may be too large wherever there is one, and a page', () => {
    for (const { name, list } of restOperations) {
      const { requestBody, responses } = of(name) as { requestBody?: object; responses: object };
      if (requestBody !== undefined || list !== null)
        expect([name, responses]).toEqual([name, expect.objectContaining({ 413: expect.anything() })]);
    }
    expect(of('workflows.hooks.fire')).toHaveProperty('requestBody');
    expect(of('runs.runs.stop')).not.toHaveProperty('requestBody');
  });

  it('names the headers that have an effect', () => {
    const headersOf = (name: string) =>
      (of(name)['parameters'] as { name: string; in: string }[])
        .filter((one) => one.in === 'header')
        .map((one) => one.name);
    expect(headersOf('workflows.spaces.create')).toEqual(['Idempotency-Key']);
    expect(headersOf('workflows.hooks.fire')).toEqual(['Idempotency-Key']);
    expect(headersOf('billing.stripeEvents.take')).toEqual([]);
    expect(headersOf('notifications.notifications.stream')).toEqual(['Last-Event-ID']);
    expect(headersOf('runs.runs.events')).toEqual(['Last-Event-ID']);
  });

  it.each([
    'runs.sandboxes.start',
    'notifications.webhooks.create',
    'workflows.secrets.create',
    'workflows.workflows.copy',
  ])('names no least role of %s, which wants another row for some requests', (name) => {
    expect(Object.keys(of(name)).filter((key) => key.startsWith('x-svc-min'))).toEqual([]);
  });

  it('says which role an operation wants where it maps to one row of the matrix', () => {
    expect(of('workflows.spaces.create')).toMatchObject({ 'x-svc-min-vault-role': 'space_admin' });
    expect(of('runs.runs.create')).toMatchObject({ 'x-svc-min-workspace-role': 'execute' });
    expect(of('auth.users.me')).toMatchObject({ 'x-svc-min-vault-role': 'member' });
    expect(of('workflows.spaces.delete')).not.toHaveProperty('x-svc-min-vault-role');
    expect(of('workflows.spaces.delete')).not.toHaveProperty('x-svc-min-workspace-role');
    expect(of('auth.sessions.login')).toMatchObject({ security: [] });
    expect(of('auth.mfa.begin')).toMatchObject({ security: [{ session: [] }] });
  });

  it('gives defaults of a list, and nothing that points outside of the document', () => {
    const parameters = of('workflows.spaces.list')['parameters'] as { name: string; schema: { default?: unknown } }[];
    const defaults = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema.default]));
    expect(defaults).toMatchObject({ page: 1, page_size: 200, ordering: '-modified_date' });
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Error']));
  });

  it('has numeric ids of paths as numbers', () => {
    const [id] = of('runs.runs.get')['parameters'] as object[];
    expect(id).toMatchObject({ name: 'id', in: 'path', schema: { type: 'integer', format: 'int64' } });
  });

  it('has links of pages that are left out as text, and others as text or null', () => {
    const nextOf = (name: string) => {
      const { responses } = of(name) as { responses: Record<string, { content: Record<string, Page> }> };
      return responses['200']?.content['application/json']?.schema.properties['next'];
    };
    expect(nextOf('datasets.solutions.list')).toEqual({ type: 'string' });
    expect(nextOf('workflows.spaces.list')).toEqual({ type: ['string', 'null'] });
  });

  it('names the media types of files that come and go', () => {
    expect(of('workflows.workflows.import')).toMatchObject({
      requestBody: { content: { 'application/json': {}, 'application/yaml': { schema: { type: 'string' } } } },
    });
    const { responses } = of('workflows.workflows.export') as { responses: Record<string, { content: object }> };
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/yaml', 'application/json']);
    expect(Object.keys((of('workflows.spaces.create')['requestBody'] as { content: object }).content)).toEqual([
      'application/json',
    ]);
  });

  it('knows its address', () => {
    expect(description.servers).toEqual([{ url: 'https://millrace.example.org/api' }]);
  });
});
