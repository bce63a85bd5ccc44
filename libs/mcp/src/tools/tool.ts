import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { MillraceClient } from '@millrace/client';
import { toErrorDetails } from '@millrace/contracts/kit/api-error';
import type { DocsPages } from '../docs/docs-pages.js';
import { type JsonSchema, toObjectSchema } from '../schema/to-object-schema.js';
import { ToolError } from './tool-error.js';

/** What a tool works with during one call. */
export interface ToolCall {
  /** A client with the credentials of the caller. */
  client: MillraceClient;
  docs: DocsPages;
  /** Aborts if the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress, if the client requested it. The client expects `done` to grow. */
  reportProgress: (progress: Progress) => Promise<void>;
}

export interface Progress {
  done: number;
  total?: number;
  message: string;
}

/** A resource that the result of a tool refers to. */
export interface ResourceLink {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
}

export interface ToolOutput {
  /** Matches the output schema of the tool. */
  content: Record<string, unknown>;
  links?: ResourceLink[];
}

export interface Tool {
  name: string;
  title: string;
  /** Written for a model. */
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: Required<Omit<ToolAnnotations, 'title'>>;
  /** @throws ToolError, MillraceError; their messages are results for the model */
  run: (call: ToolCall, args: Record<string, unknown>) => Promise<ToolOutput>;
}

interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  output: O;
  /** By default the tool changes records, ends nothing, and has a further effect if it is repeated. */
  isReadOnly?: boolean;
  isDestructive?: boolean;
  isIdempotent?: boolean;
  /** Whether it reaches systems outside of Millrace. */
  isOpenWorld?: boolean;
  run: (call: ToolCall, input: z.output<I>) => Promise<Omit<ToolOutput, 'content'> & { content: z.input<O> }>;
}

/** Declares a tool that combines several operations. A tool that is one operation is derived from the contract instead. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): Tool {
  const { name, title, description, input, output, isReadOnly = false } = definition;
  return {
    ...{ name, title, description },
    inputSchema: toObjectSchema(input, 'input'),
    outputSchema: toObjectSchema(output, 'output'),
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: definition.isDestructive ?? false,
      idempotentHint: definition.isIdempotent ?? isReadOnly,
      openWorldHint: definition.isOpenWorld ?? false,
    },
    run: async (call, args) => {
      const parsed = input.safeParse(args);
      if (!parsed.success) {
        throw new ToolError('validation_error', 'The arguments are not valid.', toErrorDetails(parsed.error));
      }
      return definition.run(call, parsed.data);
    },
  };
}
