import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { describeApi } from '@millrace/contracts/openapi/describe-api';
import type { GatewayEnv } from '../env.js';

/** The page loads its scripts as files; some of its styles are set by these scripts. */
const DOCS_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/** Serves the OpenAPI description at `/api/openapi.json`, and a page to read and try it at `/api/docs`. */
export async function serveApiDocs(app: FastifyInstance, env: GatewayEnv): Promise<void> {
  const description = describeApi(env.PUBLIC_URL);
  const body = JSON.stringify(description);
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json').send(body));
  // Swagger UI requires the plugin that generates descriptions. This stand-in returns the one made from the registry.
  const source = plugin(
    (instance, _options, done) => {
      instance.decorate('swagger', () => description);
      done();
    },
    { name: '@fastify/swagger' },
  );
  await app.register(source);
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // A token entered on the page must not stay in the browser for its next user.
    uiConfig: { docExpansion: 'none', persistAuthorization: false },
    staticCSP: DOCS_POLICY,
  });
}
