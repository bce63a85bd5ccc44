import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { MillraceError } from '@millrace/client';
import { UnexpectedResponseError } from '@millrace/client';
import type { ServerOptions } from '../server-options.js';
import { TOOLS } from './all-tools.js';
import { nameRequests } from './name-requests.js';
import { normalizeArguments } from './normalize-arguments.js';
import { ToolError } from './tool-error.js';
import type { ToolCall, ToolOutput } from './tool.js';

type FailureHandlers = Pick<ServerOptions, 'onDefect' | 'explain'>;

/** Calls a tool. Every failure that a model or a user can do something about is a result with `isError`. */
export async function callTool(
  call: ToolCall,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  failures: FailureHandlers,
): Promise<CallToolResult> {
  const tool = TOOLS.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}".`);
  try {
    return toResult(await tool.run(call, normalizeArguments(args, tool.inputSchema)));
  } catch (error) {
    if (call.signal.aborted) throw error;
    return toErrorResult(error, failures);
  }
}

function toResult({ content: result, links = [] }: ToolOutput): CallToolResult {
  const content = nameInProblems(result);
  return {
    // Clients without support for structured content read the text.
    content: [
      { type: 'text', text: JSON.stringify(content) },
      ...links.map((link) => ({ type: 'resource_link' as const, ...link })),
    ],
    structuredContent: content,
  };
}

/** Lists of problems in results. Their texts are for all clients, and name requests of the REST API. */
const PROBLEM_LISTS = ['errors', 'warnings', 'problems'];

/** Names the tools in the texts of problems. Other texts of a result, such as rows, are data and stay as they are. */
function nameInProblems(content: Record<string, unknown>): Record<string, unknown> {
  const lists = PROBLEM_LISTS.flatMap((key) => {
    const list = content[key];
    return Array.isArray(list) ? [[key, list.map(nameInTexts)] as const] : [];
  });
  return { ...content, ...Object.fromEntries(lists) };
}

function nameInTexts(record: unknown): unknown {
  if (typeof record !== 'object' || record === null) return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' ? nameRequests(value) : value,
    ]),
  );
}

function toErrorResult(error: unknown, failures: FailureHandlers): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify({ error: describe(error, failures) }) }], isError: true };
}

function describe(error: unknown, { onDefect, explain }: FailureHandlers): object {
  const explanation = explain?.(error) ?? null;
  if (explanation !== null) return { code: 'unavailable', message: explanation };
  if (error instanceof ToolError || error instanceof MillraceError) {
    const { code, message, details } = error;
    const isRefused = error instanceof MillraceError && error.status === 401;
    const advice = isRefused ? 'The user has to connect again with a valid token.' : undefined;
    return {
      code,
      message: nameRequests(message),
      ...(hasKeys(details) && { details: nameInTexts(details) }),
      ...(advice !== undefined && { advice }),
    };
  }
  if (error instanceof UnexpectedResponseError) return { code: 'unexpected_response', message: error.message };
  if (isLostConnection(error)) {
    return { code: 'unavailable', message: 'The connection to Millrace was lost. Try again in a few seconds.' };
  }
  onDefect(error);
  return {
    code: 'internal_error',
    message: 'The tool failed. Try again; if it fails again, report it to the operator.',
  };
}

const hasKeys = (record: object | undefined): boolean => record !== undefined && Object.keys(record).length > 0;

/** `fetch` and its streams throw a TypeError or a timeout, and the command line an error whose cause is one of them. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.message.startsWith('The connection was silent')) return true;
  return (
    (error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)) || isLostConnection(error.cause)
  );
}
