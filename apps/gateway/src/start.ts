import { isUtf8 } from 'node:buffer';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { DEFAULT_BODY_LIMIT } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { Broker } from '@millrace/messaging/broker/broker';
import { measureDisks } from '@millrace/service/health/disk-metrics';
import { DiskSpace } from '@millrace/service/health/disk-space';
import { HealthServer } from '@millrace/service/health/health-server';
import { followLogLevel } from '@millrace/service/logging/follow-log-level';
import { NestLogger, createLogger } from '@millrace/service/logging/logger';
import { type ProcessEnv, readEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import type { ObjectStore } from '@millrace/storage/object-store';
import { keepSignedBodies, parseYamlBodies, streamBodies } from './bodies/body-parsers.js';
import { findReservedKey } from './bodies/find-reserved-key.js';
import { acceptBrowserSessions } from './browser-sessions/accept-browser-sessions.js';
import { SessionRenewals } from './browser-sessions/session-renewals.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import { gatewayEnv } from './env.js';
import { GatewayModule } from './gateway.module.js';
import { AccessLog } from './http/access-log.js';
import { serveApiDocs } from './http/api-docs.js';
import { allowOrigins } from './http/cors.js';
import { dropHeadBodies } from './http/drop-head-bodies.js';
import { HttpErrorFilter } from './http/http-error.filter.js';
import { lingerBeforeClose } from './http/linger-before-close.js';
import { logRequests } from './http/log-requests.js';
import { findBadHost, rejectBadHosts, toOriginForm } from './http/reject-bad-hosts.js';
import { rejectForeignHosts } from './http/reject-foreign-hosts.js';
import { rejectRawRequest } from './http/reject-raw-request.js';
import { RequestDrain } from './http/request-drain.js';
import { securityHeaders } from './http/security-headers.js';
import { RateLimits } from './limits/rate-limits.js';
import { rejectForeignOrigins } from './mcp/reject-foreign-origins.js';
import { decoratePublicOrigin } from './routes/public-url.js';
import { readRequestId } from './routes/read-request.js';
import { routePathOf } from './routes/route.js';
import { OBJECT_STORE } from './transfers/object-stores.js';
import { WorkerLinks } from './worker-links/worker-links.js';

const BASE = '/api';
/** A tool call may contain a workflow. */
const MAX_MCP_BODY_BYTES = 4 * 1024 * 1024;
/** Characters between two slashes of a path. Numeric ids have up to 1,000; a longer part names nothing. */
const MAX_PATH_PARAM_LENGTH = 1_100;

/** Starts the gateway; `url` is the address at which it listens. */
export async function start(
  source: ProcessEnv,
  healthServer = new HealthServer(),
): Promise<RunningService & { url: string }> {
  const health = healthServer.add('gateway');
  const env = readEnv('gateway', gatewayEnv, source);
  const logger = createLogger('gateway', env.LOG_LEVEL);
  const errorFilter = new HttpErrorFilter();
  const setSecurityHeaders = await securityHeaders();
  const adapter = new FastifyAdapter({
    bodyLimit: DEFAULT_BODY_LIMIT,
    genReqId: (request: { headers: Record<string, unknown> }) => readRequestId(request.headers['x-request-id']),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: MAX_PATH_PARAM_LENGTH },
    rewriteUrl: toOriginForm,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      setSecurityHeaders(request, reply);
      errorFilter.sendError(findBadHost(request.raw) ?? describeBadPath(error), request, reply);
    },
    clientErrorHandler: rejectRawRequest,
    trustProxy: env.TRUST_PROXY,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  lingerBeforeClose(fastify);
  applyBodyLimits(fastify);
  decoratePublicOrigin(fastify, env);
  const writesAccessLog = env.ACCESS_LOG && logger.isLevelEnabled('info');
  logRequests(fastify, writesAccessLog ? new AccessLog() : null);
  dropHeadBodies(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
  rejectBadHosts(fastify);
  rejectForeignHosts(fastify, env);
  rejectForeignOrigins(fastify, env);
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    GatewayModule.of(env, { server: healthServer, gateway: health }),
    adapter,
    {
      logger: new NestLogger(logger),
      abortOnError: false,
      bodyParser: false,
    },
  );
  await allowOrigins(fastify, env);
  // Cookies are parsed on demand instead of for each request.
  await fastify.register(cookie, { hook: false });
  acceptBrowserSessions(fastify, { base: BASE, renewals: app.get(SessionRenewals), limits: app.get(RateLimits) });
  parseJsonBodies(fastify);
  parseYamlBodies(fastify);
  streamBodies(fastify, BASE);
  keepSignedBodies(fastify, BASE);
  await fastify.register(multipart, { limits: { fileSize: Number.MAX_SAFE_INTEGER, files: 1, fields: 10 } });
  await serveApiDocs(fastify, env);
  await serveDashboard(fastify, errorFilter);
  app.setGlobalPrefix(BASE, { exclude: ['health/{*path}', 'mcp'] });
  const requests = new RequestDrain(app.getHttpServer());
  const links = app.get(WorkerLinks);
  await app.listen(env.PORT, env.HOST);
  links.accept(app.getHttpServer());
  const disk = new DiskSpace(source, env.DISK_MIN_FREE_MIB);
  health.setReady({
    checks: {
      disk: () => disk.check(),
      nats: () => app.get(Broker).connection.rtt(),
      storage: () => app.get<ObjectStore>(OBJECT_STORE).check(),
    },
  });
  const unfollow = followLogLevel(app.get(Broker), 'gateway', logger);
  const stopMeasuring = measureDisks(disk);
  const url = await app.getUrl();
  logger.info({ address: url }, 'Gateway is ready');
  return {
    url,
    close: async () => {
      await links.close();
      await requests.drain();
      unfollow();
      stopMeasuring();
      await app.close();
    },
  };
}

/** A path that the router cannot read is a 404 like any unknown path. */
function describeBadPath({ code }: FastifyError): ApiError {
  const problem =
    code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? `has a part of more than ${MAX_PATH_PARAM_LENGTH} characters between two slashes, so it names nothing.`
      : 'is not valid percent-encoding.';
  return new ApiError('not_found', `The path of the request ${problem}`);
}

/** Treats an empty JSON body as no body: many clients send the header with every request. */
function parseJsonBodies(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (!isUtf8(body as Buffer))
      done(new ApiError('malformed_json', 'The JSON body is not valid UTF-8.'), undefined);
    else {
      const text = body.toString();
      void parse(request, text, (error, value) => done(error && (describeReservedKey(text) ?? error), value));
    }
  });
}

/** The parser reports a reserved key as invalid JSON. */
function describeReservedKey(text: string): ApiError | null {
  const path = findReservedKey(text);
  return path === null ? null : new ValidationError({ [path]: 'is a reserved name; use another key' });
}

/** Sets the body limit of each route to its operation's; Nest's decorators have no such option. */
function applyBodyLimits(fastify: FastifyInstance): void {
  const limits = new Map(
    restOperations.map((operation) => [`${operation.method} ${BASE}${routePathOf(operation)}`, operation.bodyLimit]),
  );
  limits.set('POST /mcp', MAX_MCP_BODY_BYTES);
  fastify.addHook('onRoute', (route) => {
    const limit = limits.get(`${[route.method].flat().join()} ${route.url}`);
    if (limit !== undefined) route.bodyLimit = limit;
  });
}
