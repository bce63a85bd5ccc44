import { errorBody } from '../kit/api-error.js';
import { permissionRows, SPACE_ROLES, VAULT_ROLES } from '../kit/permissions.js';
import { restOperations } from '../registry.js';
import { describeOperation } from './describe-operation.js';
import { SchemaCollection, type Json } from './schema-collection.js';
import { TAGS } from './tags.js';

/** Describes every REST operation of the registry as an OpenAPI 3.1 document. */
export function describeApi(publicUrl?: string): Json {
  const schemas = new SchemaCollection();
  schemas.describe(errorBody, 'output');
  for (const { response } of restOperations) schemas.describe(response, 'output');
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of restOperations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: '1.0.0',
      description:
        'Millrace is a workflow automation platform: build workflows, run them over many items, and query their ' +
        'results.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ? `${publicUrl.replace(/\/$/, '')}/api` : '/api' }],
    security: [{ apiToken: [] }, { session: [] }, { sessionCookie: [] }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    'x-svc-roles': roleModel(),
    paths,
    components: {
      securitySchemes: {
        apiToken: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <API token>`' },
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'millrace_access_8080',
          description:
            'For pages of the installation itself. The number is the port of its public address; behind TLS, the name ' +
            'begins with `__Secure-`. A request that changes something also needs the `Origin` of such a page.',
        },
      },
      responses: {
        Error: {
          description: 'The request failed; `code` says why',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      schemas: schemas.components,
    },
  };
}

/** The permission matrix: the roles, strongest first, and the permissions of each. */
function roleModel(): Json {
  const rowsOf = (scope: 'vault' | 'space') =>
    permissionRows.filter((row) => row.scope === scope).map(({ name, may, roles }) => ({ name, may, roles }));
  return {
    vault: { roles: [...VAULT_ROLES].reverse(), permissions: rowsOf('vault') },
    space: { roles: [...SPACE_ROLES].reverse(), permissions: rowsOf('space') },
  };
}
