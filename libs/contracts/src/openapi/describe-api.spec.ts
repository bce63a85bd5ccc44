import { describe, expect, it } from '@jest/globals';
import { restOperations } from '../registry.js';
import { describeApi } from './describe-api.js';

const description = describeApi('https://millrace.example.org') as {
  servers: { url: string }[];
  paths: Record<string, Record<string, Record<string, unknown>>>;
  tags: { name: string }[];
  components: { schemas: Record<string, unknown> };
};

/** A schema or the component that it refers to. */
const resolve = <T>(schema: T | { $ref: string }): T => {
  if (!(schema instanceof Object) || !('$ref' in schema)) return schema;
  return description.components.schemas[schema.$ref.replace('#/components/schemas/', '')] as T;
};

const describedOperation = (name: string): Record<string, unknown> => {
  const all = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  return all.find(({ operationId }) => operationId === name) ?? {};
};

interface Page {
  schema: { properties: Record<string, unknown> };
}

describe('the API description', () => {
  it('lists every operation under its path, with its success and error responses', () => {
    for (const { path, method, name, status } of restOperations) {
      const described = description.paths[path]?.[method.toLowerCase()];
      expect(described).toMatchObject({ operationId: name });
      expect(Object.keys(described?.['responses'] as object)).toEqual(
        expect.arrayContaining([String(status), '400', '500']),
      );
    }
  });

  it('offers cookies for exactly the operations whose response has the tokens of a session', () => {
    const named = (parameters: unknown) => (parameters as { name: string }[]).map(({ name }) => name);
    const offers = restOperations.filter(({ name }) =>
      named(describedOperation(name)['parameters']).includes('X-Millrace-Session'),
    );
    expect(offers.map(({ name }) => name).sort()).toEqual([
      ...['auth.google.redeem', 'auth.invitations.accept', 'auth.passwords.change'],
      ...['auth.sessions.login', 'auth.sessions.refresh', 'auth.sessions.signup'],
    ]);
  });

  it.each([
    ...['datasets.create', 'solutions.create', 'solutions.copy', 'exports.create'],
    ...['reportingNodes.create', 'detectedTables.save'],
  ])('lists 404 for datasets.%s, whose body names a record', (name) => {
    expect(describedOperation(`datasets.${name}`)['responses']).toHaveProperty('404');
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
  ])('lists for %s the status %s', (name, status) => {
    expect(describedOperation(name)['responses']).toHaveProperty(status);
  });

  it('lists 413 for every operation with a body or a page', () => {
    for (const { name, list } of restOperations) {
      const { requestBody, responses } = describedOperation(name) as { requestBody?: object; responses: object };
      if (requestBody !== undefined || list !== null)
        expect([name, responses]).toEqual([name, expect.objectContaining({ 413: expect.anything() })]);
    }
    expect(describedOperation('workflows.hooks.fire')).toHaveProperty('requestBody');
    expect(describedOperation('runs.runs.stop')).not.toHaveProperty('requestBody');
  });

  it('lists the request headers that have an effect', () => {
    const headersOf = (name: string) =>
      (describedOperation(name)['parameters'] as { name: string; in: string }[])
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
    expect(headersOf('workflows.spaces.create')).toEqual(['Idempotency-Key']);
    expect(headersOf('workflows.hooks.fire')).toEqual(['Idempotency-Key']);
    expect(headersOf('billing.stripeEvents.take')).toEqual([]);
    expect(headersOf('notifications.notifications.stream')).toEqual(['Last-Event-ID']);
    expect(headersOf('runs.runs.events')).toEqual(['Last-Event-ID']);
  });

  it.each([
    'runs.runs.create',
    'runs.sandboxes.start',
    'notifications.webhooks.create',
    'workflows.secrets.create',
    'workflows.workflows.copy',
  ])('names no minimum role for %s, which requires another permission for some requests', (name) => {
    expect(Object.keys(describedOperation(name)).filter((key) => key.startsWith('x-svc-min'))).toEqual([]);
  });

  it('names the minimum role of an operation that maps to one permission', () => {
    expect(describedOperation('workflows.spaces.create')).toMatchObject({ 'x-svc-min-vault-role': 'space_admin' });
    expect(describedOperation('runs.runs.stop')).toMatchObject({ 'x-svc-min-workspace-role': 'execute' });
    expect(describedOperation('auth.users.me')).toMatchObject({ 'x-svc-min-vault-role': 'member' });
    expect(describedOperation('workflows.spaces.delete')).not.toHaveProperty('x-svc-min-vault-role');
    expect(describedOperation('workflows.spaces.delete')).not.toHaveProperty('x-svc-min-workspace-role');
    expect(describedOperation('auth.sessions.login')).toMatchObject({ security: [] });
    expect(describedOperation('auth.mfa.begin')).toMatchObject({ security: [{ session: [] }, { sessionCookie: [] }] });
  });

  it('includes the defaults of a list, and no reference outside the document', () => {
    const parameters = describedOperation('workflows.spaces.list')['parameters'] as {
      name: string;
      schema: { default?: unknown };
    }[];
    const defaults = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema.default]));
    expect(defaults).toMatchObject({ page: 1, page_size: 200, ordering: '-modified_date' });
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    const components = Object.keys(description.components.schemas).map((name) => `#/components/schemas/${name}`);
    const others = references.filter((to) => !components.includes(to ?? ''));
    expect(new Set(others)).toEqual(new Set(['#/components/responses/Error']));
    expect(components.filter((name) => !references.includes(name))).toEqual([]);
  });

  it('names the records of responses, and gives each operation one of its tags', () => {
    const schemaOf = (name: string) =>
      describedOperation(name)['responses'] as Record<string, { content: Record<string, { schema: unknown }> }>;
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(schemaOf('runs.runs.get')['200']?.content['application/json']?.schema).toEqual(reference('Run'));
    expect(schemaOf('runs.runs.list')['200']?.content['application/json']?.schema).toEqual(reference('RunPage'));
    expect(description.components.schemas['RunPage']).toMatchObject({
      properties: { results: { items: reference('Run') } },
    });
    const tags = Object.values(description.paths).flatMap((path) => Object.values(path).map(({ tags }) => tags));
    expect(new Set(tags.flat())).toEqual(new Set(description.tags.map(({ name }) => name)));
  });

  it('describes a numeric id in a path as a number', () => {
    const [id] = describedOperation('runs.runs.get')['parameters'] as object[];
    expect(id).toMatchObject({ name: 'id', in: 'path', schema: { type: 'integer', format: 'int64' } });
  });

  it('describes an omittable page link as a string, and any other as a string or null', () => {
    const nextOf = (name: string) => {
      const { responses } = describedOperation(name) as {
        responses: Record<string, { content: Record<string, Page> }>;
      };
      const page = responses['200']?.content['application/json'];
      return page && resolve(page.schema).properties['next'];
    };
    expect(nextOf('datasets.solutions.list')).toMatchObject({ type: 'string' });
    expect(nextOf('workflows.spaces.list')).toMatchObject({ type: ['string', 'null'] });
  });

  it('lists the media types of imported and exported files', () => {
    expect(describedOperation('workflows.workflows.import')).toMatchObject({
      requestBody: { content: { 'application/json': {}, 'application/yaml': { schema: { type: 'string' } } } },
    });
    const { responses } = describedOperation('workflows.workflows.export') as {
      responses: Record<string, { content: object }>;
    };
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/yaml', 'application/json']);
    expect(
      Object.keys((describedOperation('workflows.spaces.create')['requestBody'] as { content: object }).content),
    ).toEqual(['application/json']);
  });

  it('has an example of every body, path parameter and success response', () => {
    type Contents = { content?: Record<string, { example?: unknown }> } | undefined;
    const hasExample = (described: Contents) =>
      described?.content === undefined || Object.values(described.content).some((media) => 'example' in media);
    for (const { name, status } of restOperations) {
      const { requestBody, responses, parameters } = describedOperation(name) as {
        requestBody?: Contents;
        responses: Record<string, Contents>;
        parameters: { in: string; example?: unknown }[];
      };
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect({
        name,
        body: hasExample(requestBody),
        response: hasExample(responses[status]),
        path: inPath.every((parameter) => parameter.example !== undefined),
      }).toEqual({ name, body: true, response: true, path: true });
    }
  });

  it('names the public address of the server', () => {
    expect(description.servers).toEqual([{ url: 'https://millrace.example.org/api' }]);
  });
});
