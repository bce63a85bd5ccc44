import {
  type ReadResourceResult,
  ResourceNotFoundError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { MillraceError } from '@millrace/client';
import { getDataset } from '@millrace/contracts/datasets/datasets';
import { downloadOutput } from '@millrace/contracts/runs/outputs';
import { getRun } from '@millrace/contracts/runs/runs';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import { exportWorkflow } from '@millrace/contracts/workflows/exchange';
import { decodePart } from '../text/decode-part.js';
import { readBytes } from '../text/read-bytes.js';
import type { ToolCall } from '../tools/tool.js';

type Content = ReadResourceResult['contents'][number];
type Call = Pick<ToolCall, 'client' | 'docs' | 'signal'>;

/** A larger resource is read in parts. */
const MAX_BYTES = 1024 * 1024;

export interface Template {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType?: string;
  /** The path of its URIs; groups are passed to `read`. */
  pattern: RegExp;
  read: (call: Call, uri: URL, ids: string[]) => Promise<Content>;
}

const PARTS = 'With `?offset=<byte>&length=<bytes>` a part of it; required above 1 MiB.';

/** The kinds of resources. */
export const TEMPLATES: readonly Template[] = [
  {
    uriTemplate: 'millrace://workflows/{id}{?version}',
    ...{ name: 'workflow', title: 'Workflow', mimeType: 'application/yaml' },
    description: 'A workflow as YAML, in its latest version or the given one. `save_workflow` accepts it.',
    pattern: /^\/\/workflows\/([^/]+)$/,
    read: async ({ client, signal }, uri, [id = '']) => {
      const query = { version: uri.searchParams.get('version') ?? 'latest', form: 'compact' } as const;
      const response = await client.send(exportWorkflow, { params: { id }, query, signal }, { accept: '*/*' });
      return { uri: uri.href, mimeType: 'application/yaml', text: await response.text() };
    },
  },
  {
    uriTemplate: 'millrace://runs/{id}',
    ...{ name: 'run', title: 'Run', mimeType: 'application/json' },
    description: 'A run with its status, inputs and counts.',
    pattern: /^\/\/runs\/(\d+)$/,
    read: async ({ client, signal }, uri, [id = '']) =>
      toJson(uri, await client.call(getRun, { params: { id }, signal })),
  },
  {
    uriTemplate: 'millrace://runs/{run}/subjobs/{subjob}/{stream}{?attempt,offset,length}',
    ...{ name: 'log', title: 'Log of a subjob', mimeType: 'text/plain' },
    description: `What a subjob has printed; \`stream\` is stdout or stderr. ${PARTS}`,
    pattern: /^\/\/runs\/(\d+)\/subjobs\/(\d+)\/(stdout|stderr)$/,
    read: async ({ client, signal }, uri, [id = '', subjobId = '', stream = 'stdout']) => {
      const attempt = uri.searchParams.get('attempt');
      const query = { stream, ...(attempt !== null && { attempt }) };
      const request = { params: { id, subjobId }, query, signal };
      const { body } = await client.send(readLogs, request, { accept: 'text/plain' });
      const { offset, length } = readPart(uri);
      const { bytes, isEnd } = await readBytes(body, { skip: offset, max: length });
      if (!isEnd && !isPart(uri)) throw tooLarge(uri);
      return { uri: uri.href, mimeType: 'text/plain', text: new TextDecoder().decode(bytes) };
    },
  },
  {
    uriTemplate: 'millrace://output/{id}{?offset,length}',
    ...{ name: 'output', title: 'Output of a run' },
    description: `The content of an output file. ${PARTS} A run accepts the URI, without a part, as an input.`,
    pattern: /^\/\/output\/([^/]+)$/,
    read: async ({ client, signal }, uri, [id = '']) => {
      const { offset, length } = readPart(uri);
      const range = isPart(uri) ? { start: offset, end: offset + length - 1 } : undefined;
      const { body, totalSize } = await client.download(
        downloadOutput,
        { params: { id }, signal },
        range ? { range } : {},
      );
      if (range === undefined && (totalSize ?? 0) > MAX_BYTES) {
        await body.cancel();
        throw tooLarge(uri, totalSize);
      }
      const { bytes } = await readBytes(body, { max: length });
      const { text, encoding } = decodePart(bytes, true);
      if (encoding === 'utf-8') return { uri: uri.href, mimeType: 'text/plain', text };
      return { uri: uri.href, mimeType: 'application/octet-stream', blob: text };
    },
  },
  {
    uriTemplate: 'millrace://tables/{id}',
    ...{ name: 'table', title: 'Schema of a Live Table', mimeType: 'application/json' },
    description: 'Name, columns with their types, primary key and number of rows. Use `query_table` for rows.',
    pattern: /^\/\/tables\/([^/]+)$/,
    read: async ({ client, signal }, uri, [id = '']) =>
      toJson(uri, await client.call(getDataset, { params: { id }, signal })),
  },
  {
    uriTemplate: 'millrace://docs/{+page}',
    ...{ name: 'docs', title: 'Page of the documentation', mimeType: 'text/markdown' },
    description: 'A page of the documentation, such as `guides/runs.md`.',
    pattern: /^\/\/docs\/(.+)$/,
    read: ({ docs }, uri, [name]) => {
      const page = docs.find((candidate) => candidate.name === name);
      if (!page) throw new ResourceNotFoundError(uri.href);
      return Promise.resolve({ uri: uri.href, mimeType: 'text/markdown', text: page.text });
    },
  },
];

/** @throws ProtocolError, because a resource has no other way to report that it cannot be read */
export async function readResource(call: Call, text: string): Promise<ReadResourceResult> {
  const uri = URL.parse(text);
  if (uri?.protocol !== 'millrace:') throw new ResourceNotFoundError(text);
  const path = `//${uri.host}${uri.pathname}`;
  for (const { pattern, read } of TEMPLATES) {
    const ids = decodeAll(pattern.exec(path)?.slice(1));
    if (ids) return { contents: [await read(call, uri, ids).catch((error: unknown) => rejectFailure(error, uri))] };
  }
  throw new ResourceNotFoundError(text);
}

/** @returns undefined if the path is that of no resource, or cannot be decoded */
function decodeAll(parts: string[] | undefined): string[] | undefined {
  try {
    return parts?.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function rejectFailure(error: unknown, uri: URL): never {
  if (!(error instanceof MillraceError)) throw error;
  if (error.status === 404) throw new ResourceNotFoundError(uri.href, error.message);
  const { code, message, details, status } = error;
  const kind = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  throw new ProtocolError(kind, message, { code, ...(details && { details }) });
}

const toJson = (uri: URL, record: unknown): Content => ({
  ...{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(record, null, 2) },
});

const isPart = ({ searchParams }: URL): boolean => searchParams.has('offset') || searchParams.has('length');

function readPart({ searchParams }: URL): { offset: number; length: number } {
  const read = (name: string, byDefault: number, min: number, max: number): number => {
    const value = Number(searchParams.get(name) ?? byDefault);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `\`${name}\` of the URI must be between ${min} and ${max}.`,
    );
  };
  const offset = read('offset', 0, 0, Number.MAX_SAFE_INTEGER);
  return { offset, length: read('length', MAX_BYTES, 1, MAX_BYTES) };
}

function tooLarge({ href }: URL, size?: number | null): ProtocolError {
  const has = typeof size === 'number' ? `has ${size} bytes` : `has more than ${MAX_BYTES} bytes`;
  const separator = href.includes('?') ? '&' : '?';
  const part = `${href}${separator}offset=0&length=${MAX_BYTES}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `The resource ${has}. Read it in parts, such as ${part}`);
}
