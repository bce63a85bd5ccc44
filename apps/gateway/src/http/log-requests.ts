import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { withLogFields } from '@millrace/messaging/tracing/log-fields';
import { createHistogram } from '@millrace/telemetry/metrics/registry';
import { openSpan, type OpenSpan } from '@millrace/telemetry/tracing/spans';
import type { AccessLog } from './access-log.js';

const durations = createHistogram('millrace_http_request_duration_seconds', 'Duration of HTTP requests by route', [
  'method',
  'route',
  'status',
]);

/** A path that no route has. The path itself would make an unlimited number of series. */
const NO_ROUTE = 'none';

/** Methods of HTTP; a client may send any other word. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Gives the log lines of each request its id, runs it in a span that continues the trace of its client, measures it, and
 * writes it to the access log. Probes, which come every few seconds, are measured only.
 * @param accessLog null: none is written
 */
export function logRequests(fastify: FastifyInstance, accessLog: AccessLog | null): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  const enter = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request);
    withLogFields({ requestId: request.id }, () => (span ? span.run(done) : done()));
  };
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = isProbe(request)
      ? undefined
      : openSpan(`${methodOf(request)} ${routeOf(request)}`, {
          kind: 'server',
          causes: [typeof traceparent === 'string' ? traceparent : undefined],
        });
    if (span) spans.set(request, span);
    enter(request, done);
  });
  // Again, because the body is parsed in callbacks of the socket, which do not belong to the request.
  fastify.addHook('preValidation', (request, _reply, done) => enter(request, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    const [method, route, status] = [methodOf(request), routeOf(request), reply.statusCode];
    durations.observe({ method, route, status: String(status) }, reply.elapsedTime / 1000);
    const span = spans.get(request);
    const { user: caller } = request as { user?: Caller };
    span?.end(
      {
        ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        ...{ 'millrace.request': request.id, ...(caller && { 'millrace.vault': caller.vault }) },
      },
      status >= 500 ? String(status) : undefined,
    );
    if (!isProbe(request))
      accessLog?.add({
        requestId: request.id,
        traceId: span?.traceId,
        method,
        route,
        status,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        vault: caller?.vault,
        user: caller?.user,
      });
    done();
  });
}

const methodOf = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : 'other');
const isProbe = (request: FastifyRequest): boolean => routeOf(request).startsWith('/health/');
const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? NO_ROUTE;
