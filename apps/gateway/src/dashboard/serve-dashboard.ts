import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { Logger } from '@nestjs/common';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { HttpErrorFilter } from '../http/http-error.filter.js';
import { matchesEtag } from '../transfers/send-object.js';

const logger = new Logger('Dashboard');

/**
 * What the app may load: its own files, and data through the API. Scripts are sent with it too, because a worker is bound
 * by the policy of its own file.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const ONE_YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/** Paths whose clients are programs, which need errors as JSON. */
const IS_API_PATH = /^\/(api|health|mcp)([/?]|$)/;

/** The folder of the built app. */
export const dashboardFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@millrace/dashboard/package.json')), 'dist');

/**
 * Serves the browser app. Its assets have a hash of their content in their names, so browsers store them for good. Every
 * other path that no route has is a page of the app, which chooses itself what to show. These files count for no rate limit.
 *
 * Without a built app, everything else still works, because clients of the API do not need it.
 */
export async function serveDashboard(
  fastify: FastifyInstance,
  errorFilter: HttpErrorFilter,
  folder = dashboardFolder(),
): Promise<void> {
  const indexFile = join(folder, 'index.html');
  if (!existsSync(indexFile)) {
    logger.warn({
      message: 'The dashboard is not built and is not served. Run "npm run build" and restart',
      indexFile,
    });
    return;
  }
  await fastify.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      errorFilter.sendError(isForbiddenPath(error) ? NO_SUCH_FILE : error, request, reply);
    });
    await scope.register(fastifyStatic, {
      ...{ root: join(folder, 'assets'), prefix: '/assets', decorateReply: false, index: false, preCompressed: true },
      maxAge: ONE_YEAR_MS,
      immutable: true,
      setHeaders: (reply) => void setPolicy(reply),
    });
    // A route for each of the few other files, such as the icon.
    await scope.register(fastifyStatic, {
      ...{ root: folder, wildcard: false, decorateReply: false, index: false, preCompressed: true },
      globIgnore: ['assets/**', 'index.html', '**/*.{br,gz}'],
      cacheControl: false,
      setHeaders: (reply) => void setPolicy(reply).header('cache-control', 'no-cache'),
    });
  });
  // A hook instead of a route for all paths: the router then reports paths of the API as before.
  fastify.addHook('onRequest', async (request, reply) => {
    const isPage = request.is404 && ['GET', 'HEAD'].includes(request.method) && !IS_API_PATH.test(request.url);
    return isPage ? sendIndex(indexFile, request, reply) : undefined;
  });
}

/**
 * Reads the page for each request, because it names the assets that are on the disk now. Its tag is made from its content:
 * pages of two versions often have the same size, and a reproducible build also gives them the same time.
 */
async function sendIndex(indexFile: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const page = await readFile(indexFile);
  const etag = `"${hash('sha256', page, 'base64url')}"`;
  void setPolicy(reply).headers({ 'cache-control': 'no-cache', etag });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(page);
}

const setPolicy = (reply: FastifyReply): FastifyReply =>
  reply.header('content-security-policy', CONTENT_SECURITY_POLICY);

const NO_SUCH_FILE = new ApiError('not_found', 'The dashboard has no such file.');

/** The plugin refuses paths such as `/assets/` and `/assets//x.js` with 403; they name no file. */
const isForbiddenPath = (error: FastifyError): boolean => !(error instanceof ApiError) && error.statusCode === 403;
