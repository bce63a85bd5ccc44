import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { CliError } from '../cli-error.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar)]);
/** What an input of a run is given: a value, or a list, which becomes a file of lines. */
export type InputValue = z.infer<typeof value>;

const endpoint = z.union([z.string().min(1), z.looseObject({ id: z.string().min(1) })]);
const edge = z.union([
  z.strictObject({ from: z.string().min(1), to: z.string().min(1) }),
  z.looseObject({ source: endpoint, destination: endpoint }),
]);
export type WrittenEdge = z.infer<typeof edge>;

const node = z
  .looseObject({ type: z.string().optional(), uses: z.string().optional(), workflow: z.string().optional() })
  .refine(({ type, uses }) => type !== undefined || uses !== undefined, {
    message: 'needs a `type`, or `uses` with the name of a library module',
  });
const primitive = z.looseObject({ type: z.string(), label: z.string().nullish() });

const data = z.looseObject({
  nodes: z.record(z.string(), node).default({}),
  connections: z
    .array(edge)
    .default([])
    .transform((edges) => edges.map(expandEdge)),
  primitiveNodes: z.record(z.string(), primitive).default({}),
});
export type FileData = z.output<typeof data>;

const execute = z
  .strictObject({
    inputs: z.record(z.string(), value).default({}),
    outputs: z.array(z.string()).optional(),
    parallelism: z.int().min(1).max(10_000).optional(),
  })
  .default({ inputs: {} });

const name = z.string().min(1).max(255);
const file = z.strictObject({ name, description: z.string().max(2000).optional(), workflow: data, execute });

/** What `GET /workflows/{id}/export` gives; `execute` may be added by hand. */
const exported = z
  .looseObject({
    millrace: z.literal(1, 'is not 1: a newer Millrace has written this file'),
    name,
    description: z.string().max(2000).nullish(),
    metadata: z.looseObject({ workflow: z.string().optional(), version: z.string().optional() }).nullish(),
    data,
    execute,
  })
  .transform(({ name: title, description, metadata, data: workflow, execute: how }) => ({
    name: title,
    ...(typeof description === 'string' && { description }),
    workflow,
    execute: how,
    exportedFrom: { workflow: metadata?.workflow, version: metadata?.version },
  }));

type Parsed = z.output<typeof file> & { exportedFrom?: z.output<typeof exported>['exportedFrom'] };
/**
 * A workflow as a file: what it is, and how the command line runs it. `path` is absolute. `exportedFrom` names the version
 * that the server wrote to the file.
 */
export type WorkflowFile = Parsed & { path: string };

/** @throws CliError if the file is no workflow, with the place in it */
export async function readWorkflowFile(path: string): Promise<WorkflowFile> {
  return { ...parseWorkflowFile(await readText(path), path), path: resolve(path) };
}

/** @param path named in messages */
export function parseWorkflowFile(text: string, path: string): Parsed {
  const given = parseText(text, path);
  const read = isExport(given) ? exported.safeParse(given) : file.safeParse(given);
  if (read.success) return read.data;
  const lines = read.error.issues.map((issue) => `  ${issue.path.map(String).join('.') || '(top)'}: ${issue.message}`);
  throw new CliError(`${path} is not a workflow file:\n${lines.join('\n')}`);
}

const isExport = (given: unknown): boolean => typeof given === 'object' && given !== null && 'millrace' in given;

/** JSON is YAML, too, but read as JSON it takes a hundredth of the time. */
function parseText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text, path);
  }
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CliError(`${path} is not valid YAML: ${(error as Error).message}`);
  }
}

interface Edge {
  [key: string]: unknown;
  source: { id: string };
  destination: { id: string };
}

/**
 * The edge as the server knows it. By hand it is shorter as `{from: count/file, to: merge/folder}`: the `output/` and
 * `input/` that every id begins with may be left out there.
 */
function expandEdge(edge: WrittenEdge): Edge {
  if ('from' in edge && typeof edge.from === 'string' && 'to' in edge && typeof edge.to === 'string') {
    return { source: { id: prefixed('output/', edge.from) }, destination: { id: prefixed('input/', edge.to) } };
  }
  const { source, destination, ...rest } = edge as Extract<WrittenEdge, { source: unknown }>;
  return { ...rest, source: toEndpoint(source), destination: toEndpoint(destination) };
}

const prefixed = (prefix: string, id: string): string => (id.startsWith(prefix) ? id : prefix + id);

const toEndpoint = (end: string | { id: string }): { id: string } => (typeof end === 'string' ? { id: end } : end);

/** The text of a file that the user has named. @throws CliError if it is not there or is a folder */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CliError(`The file ${path} does not exist.`);
    if (code === 'EISDIR') throw new CliError(`${path} is a folder. Use the path of a workflow file.`);
    throw error;
  }
}
