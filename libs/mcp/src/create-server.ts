import { readFileSync } from 'node:fs';
import { CLIENT_INFO_META_KEY, Server, type ServerContext } from '@modelcontextprotocol/server';
import { toClientInfo } from './http/session-id.js';
import { getPrompt, listPrompts } from './prompts/all-prompts.js';
import { listResources } from './resources/list-resources.js';
import { readResource, TEMPLATES } from './resources/read-resource.js';
import type { ServerOptions } from './server-options.js';
import { TOOLS } from './tools/all-tools.js';
import { callTool } from './tools/call-tool.js';
import { ProgressReporter } from './tools/progress-reporter.js';
import type { ToolCall } from './tools/tool.js';

/** From the package of this code: after bundling, that of the command line, which has the same version. */
const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const INSTRUCTIONS =
  'Millrace runs workflows: graphs of steps (tools, scripts, modules) over lists of thousands of items. ' +
  'Read the page reference/workflow-data.md with read_docs before you write a workflow. Typical order: list_spaces, search_library, ' +
  'create_workflow, run_workflow, read_output. For a failed run: list_failures, then read_log. Results are pages: a result that is ' +
  'not complete names the argument that continues it (page, cursor, next_offset). Ask the user before you delete something.';

/** The tools do not change while a server runs. */
const tools = [...TOOLS.values()].map(({ run: _, ...tool }) => tool);
const resourceTemplates = TEMPLATES.map(({ pattern: _, read: _read, ...template }) => template);

/** Creates the MCP server for one connection, or for one request of a server without sessions. It keeps no state. */
export function createServer({ client, docs, onClient, ...failures }: ServerOptions): Server {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const server = new Server(
    { name: 'millrace', title: 'Millrace', version: VERSION },
    { capabilities, instructions: INSTRUCTIONS },
  );
  const callFor = ({ mcpReq }: ServerContext): ToolCall => {
    const info = toClientInfo((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY]);
    if (info) onClient?.(info);
    return { client, docs, signal: mcpReq.signal, reportProgress: new ProgressReporter(mcpReq).report };
  };
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }, context) => callTool(callFor(context), params, failures));
  server.setRequestHandler('resources/list', ({ params }, context) => listResources(callFor(context), params?.cursor));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }, context) => readResource(callFor(context), params.uri));
  server.setRequestHandler('prompts/list', () => ({ prompts: listPrompts() }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments));
  return server;
}
