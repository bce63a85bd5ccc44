import { describeApi } from '@millrace/contracts/openapi/describe-api';

interface Route {
  pattern: RegExp;
  parameters: number;
  operations: Record<string, { operationId: string; responses: Record<string, unknown> }>;
}

const { paths } = describeApi() as { paths: Record<string, Route['operations']> };

/** Paths with fewer parameters come first, because `/notifications/seen` must not match `/notifications/{id}`. */
const ROUTES = Object.entries(paths)
  .map(([path, operations]): Route => {
    const pattern = new RegExp(`^/api${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return { pattern, parameters: path.split('{').length - 1, operations };
  })
  .toSorted((a, b) => a.parameters - b.parameters);

/**
 * Checks the status of a response against the API description. A path without an operation may have any status.
 * @throws Error if the operation does not list the status
 */
export function expectDescribed(method: string, url: string, status: number): void {
  const { pathname } = new URL(url);
  const operation = ROUTES.find(({ pattern }) => pattern.test(pathname))?.operations[method.toLowerCase()];
  if (!operation || String(status) in operation.responses) return;
  throw new Error(`${operation.operationId} responded with ${status}, which its description does not list`);
}
