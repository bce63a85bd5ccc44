import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
} from '@modelcontextprotocol/server';
import { listDatasets } from '@millrace/contracts/datasets/datasets';
import { listWorkflows } from '@millrace/contracts/workflows/workflows';
import type { ToolCall } from '../tools/tool.js';
import { uris } from './uris.js';

const PAGE_SIZE = 100;

interface Page {
  resources: Resource[];
  hasMore: boolean;
}

type Call = Pick<ToolCall, 'client' | 'docs' | 'signal'>;

/** What can be listed, in this order: pages of the documentation, workflows and Live Tables. Runs, logs and outputs are too many. */
const SECTIONS: Record<string, (call: Call, page: number) => Promise<Page>> = {
  docs: ({ docs }) =>
    Promise.resolve({
      resources: docs.map(({ name, title }) => ({ uri: uris.docs(name), name, title, mimeType: 'text/markdown' })),
      hasMore: false,
    }),
  workflows: async ({ client, signal }, page) => {
    const { results, next } = await client.call(listWorkflows, { query: { page, page_size: PAGE_SIZE }, signal });
    const resources = results.map(({ id, name, description }) => ({
      ...{ uri: uris.workflow(id), name, mimeType: 'application/yaml' },
      ...(description !== null && description !== '' && { description }),
    }));
    return { resources, hasMore: typeof next === 'string' };
  },
  tables: async ({ client, signal }, page) => {
    const { results, next } = await client.call(listDatasets, { query: { page, page_size: PAGE_SIZE }, signal });
    const resources = results.map(({ id, name, description }) => ({
      ...{ uri: uris.table(id), name, mimeType: 'application/json' },
      ...(description !== undefined && description !== '' && { description }),
    }));
    return { resources, hasMore: typeof next === 'string' };
  },
};

/** @param cursor `<section>:<page>`, so that any copy of the gateway continues a list */
export async function listResources(call: Call, cursor = 'docs:1'): Promise<ListResourcesResult> {
  const [, section = '', page = ''] = /^([a-z]+):(\d{1,6})$/.exec(cursor) ?? [];
  const list = Object.hasOwn(SECTIONS, section) ? SECTIONS[section] : undefined;
  if (!list || Number(page) < 1) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, '`cursor` must be the `nextCursor` of the previous page.');
  }
  const { resources, hasMore } = await list(call, Number(page));
  const names = Object.keys(SECTIONS);
  const following = names[names.indexOf(section) + 1];
  const nextCursor = hasMore
    ? `${section}:${Number(page) + 1}`
    : following === undefined
      ? undefined
      : `${following}:1`;
  return { resources, ...(nextCursor !== undefined && { nextCursor }) };
}
