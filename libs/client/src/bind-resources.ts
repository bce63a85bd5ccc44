import type { CallOptions, LooseInput } from './call-input.js';
import type { CoreClient } from './core.js';
import type { Paging } from './each-page.js';
import * as operations from './generated/operations.js';
import type { Resources } from './generated/resources.js';
import type { DownloadOptions } from './method-options.js';
import type { Operation } from './operation.js';
import { createTransfers } from './transfers.js';

/** What the generated constants say of an operation besides what every `Operation` has. */
interface MethodOperation extends Operation, Paging {
  /** Which part of the request is the method's input. */
  readonly takes?: 'query' | 'body';
  readonly transfer?: string;
}

type Method = (...input: never[]) => unknown;

/** Creates the methods of a client. Their parameters are those of the path in its order, then the input, then the options. */
export function bindResources(client: CoreClient): Resources {
  const transfers = createTransfers(client) as unknown as Record<string, Method>;
  const bind = (resource: string, methods: Record<string, MethodOperation>) =>
    Object.fromEntries(
      Object.entries(methods).map(([name, operation]) => [
        name,
        transfers[`${resource}.${name}`] ?? toMethod(client, operation),
      ]),
    );
  const resources = Object.entries(operations).map(([name, methods]) => [name, bind(name, methods)] as const);
  return Object.fromEntries(resources) as unknown as Resources;
}

function toMethod(client: CoreClient, operation: MethodOperation): Method {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { takes } = operation;
  return (...input: unknown[]) => {
    const params = Object.fromEntries(names.map((name, at) => [name, input[at]]));
    const rest = input.slice(names.length);
    const part = takes === undefined ? {} : { [takes]: rest.shift() };
    const request = { params, ...part, ...(rest[0] as CallOptions | undefined) };
    return send(client, operation, request);
  };
}

function send(client: CoreClient, operation: MethodOperation, request: LooseInput & DownloadOptions): unknown {
  const { transfer } = operation;
  if (transfer === 'download' || transfer === 'archive' || transfer === 'text') {
    const { range, onProgress, ...input } = request;
    return client.download(operation, input, { ...(range && { range }), ...(onProgress && { onProgress }) });
  }
  return operation.pages === undefined ? client.call(operation, request) : client.list(operation, request);
}
