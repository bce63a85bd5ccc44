import { isUtf8 } from 'node:buffer';
import multipart from '@fastify/multipart';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import { DEFAULT_BODY_LIMIT } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { Broker } from '@millrace/messaging/broker/broker';
import { DiskSpace } from '@millrace/service/disk-space';
import { readEnv, type ProcessEnv } from '@millrace/service/env';
import { serveHealth } from '@millrace/service/health';
import { createLogger, NestLogger } from '@millrace/service/logger';
import type { RunningService } from '@millrace/service/run-until-signal';
import { keepSignedBodies } from './bodies/keep-signed-bodies.js';
import { readYamlBody } from './bodies/parse-yaml-bodies.js';
import { streamRows } from './bodies/stream-bodies.js';
import { gatewayEnv } from './env.js';
import { GatewayModule } from './gateway.module.js';
import { takeCookies } from './google/attempt-cookie.js';
import { serveDocs } from './http/api-docs.js';
import { openToOrigins } from './http/cors.js';
import { HttpErrorFilter } from './http/http-error.filter.js';
import { findBadHost, refuseBadHosts, toOriginForm } from './http/reject-bad-hosts.js';
import { refuseForeignHosts } from './http/reject-foreign-hosts.js';
import { refuseRawRequest } from './http/reject-raw-request.js';
import { securityHeaders } from './http/security-headers.js';
import { servePages } from './pages/serve-pages.js';
import { decorateOrigin } from './routes/public-url.js';
import { requestIdOf } from './routes/read-request.js';
import { routeOf } from './routes/route.js';

const BASE = '/api';

/** Starts the REST surface; `url` is where it listens. */
export async function start(source: ProcessEnv): Promise<RunningService & { url: string }> {
  const env = readEnv('gateway', gatewayEnv, source);
  const logger = createLogger('gateway', env.LOG_LEVEL);
  const errors = new HttpErrorFilter();
  const secure = await securityHeaders();
  const adapter = new FastifyAdapter({
    bodyLimit: DEFAULT_BODY_LIMIT,
    genReqId: (request: { headers: Record<string, unknown> }) => requestIdOf(request.headers['x-request-id']),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1_100 },
    rewriteUrl: toOriginForm,
    // What fails before there is a route, such as a path that is not valid percent-encoding, exists as little as any other.
    frameworkErrors: (_error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      secure(request, reply);
      errors.answer(findBadHost(request.raw) ?? new NotFoundError('Path'), request, reply);
    },
    clientErrorHandler: refuseRawRequest,
    trustProxy: env.TRUST_PROXY,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  setBodyLimits(fastify);
  decorateOrigin(fastify, env);
  fastify.addHook('onRequest', (request, reply, done) => {
    secure(request, reply);
    done();
  });
  refuseBadHosts(fastify);
  refuseForeignHosts(fastify, env);
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.of(env, source), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  await openToOrigins(fastify, env);
  if (env.GOOGLE_CLIENT_ID !== undefined) await takeCookies(fastify);
  readJson(fastify);
  readYamlBody(fastify);
  streamRows(fastify, BASE);
  keepSignedBodies(fastify, BASE);
  await fastify.register(multipart, { limits: { fileSize: Number.MAX_SAFE_INTEGER, files: 1, fields: 10 } });
  await serveDocs(fastify, env);
  await servePages(fastify, env);
  app.setGlobalPrefix(BASE, { exclude: ['health/live', 'health/ready'] });
  await app.listen(env.PORT, env.HOST);
  const health =
    env.HEALTH_PORT === undefined
      ? null
      : serveHealth(env.HEALTH_PORT, {
          disk: () => app.get(DiskSpace).check(),
          nats: () => app.get(Broker).connection.rtt(),
        });
  const url = await app.getUrl();
  logger.info({ address: url }, 'ready');
  return {
    url,
    close: async () => {
      health?.close();
      await app.close();
    },
  };
}

/** An empty body is none, also where the client says that it is JSON: many send that header with every request. */
function readJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (!isUtf8(body as Buffer))
      done(new ApiError('malformed_json', 'The JSON body is not valid UTF-8'), undefined);
    else void parse(request, body.toString(), done);
  });
}

/** Gives each route the body limit of its operation; Nest's own decorators have none. */
function setBodyLimits(fastify: FastifyInstance): void {
  const limits = new Map(
    restOperations.map((operation) => [`${operation.method} ${BASE}${routeOf(operation)}`, operation.bodyLimit]),
  );
  fastify.addHook('onRoute', (route) => {
    const limit = limits.get(`${[route.method].flat().join()} ${route.url}`);
    if (limit !== undefined) route.bodyLimit = limit;
  });
}
