import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { describeApi } from '@millrace/contracts/openapi';
import type { GatewayEnv } from '../env.js';

/** The page's scripts are files; its styles are also written by them. */
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

/** Serves the description at `/api/openapi.json` and a page to read and try it at `/api/docs`. */
export async function serveDocs(app: FastifyInstance, env: GatewayEnv): Promise<void> {
  const description = describeApi(env.PUBLIC_URL);
  const body = JSON.stringify(description);
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json').send(body));
  // The page asks for the plugin that makes descriptions; ours comes from the registry instead.
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
    // A token that is entered there is gone with the page: browsers would keep it for whoever comes after.
    uiConfig: { docExpansion: 'none', persistAuthorization: false },
    staticCSP: DOCS_POLICY,
  });
}
