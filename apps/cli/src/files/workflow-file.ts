import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { describeIssue as describeContractIssue } from '@millrace/contracts/kit/describe-issue';
import { CliError } from '../cli-error.js';
import { YamlPositions } from './yaml-positions.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar)]);
/** The value of an input of a run. A list becomes a file with one line per item. */
export type InputValue = z.infer<typeof value>;

const endpoint = z.union([z.string().min(1), z.looseObject({ id: z.string().min(1) })]);
/** The server expands the short form. */
const edge = z.union([
  z.strictObject({ from: z.string().min(1), to: z.string().min(1) }),
  z.looseObject({ source: endpoint, destination: endpoint }),
]);

const node = z
  .looseObject({ type: z.string().optional(), uses: z.string().optional(), workflow: z.string().optional() })
  .refine(({ type, uses }) => type !== undefined || uses !== undefined, {
    message: 'needs a `type`, or `uses` with the name of a library module',
  });
const primitive = z.looseObject({ type: z.string(), label: z.string().nullish() });

const data = z.looseObject({
  nodes: z.record(z.string(), node).default({}),
  connections: z.array(edge).default([]),
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

/** The format of `GET /workflows/{id}/export`. Users may add `execute`. */
const exported = z
  .looseObject({
    millrace: z.literal(1, 'must be 1; a newer version of Millrace may have exported this file'),
    name,
    description: z.string().max(2000).nullish(),
    long_description: z.string().nullish(),
    metadata: z.looseObject({ workflow: z.string().optional(), version: z.string().optional() }).nullish(),
    data,
    execute,
  })
  .transform(({ description, long_description: longDescription, metadata, data: workflow, ...rest }) => ({
    ...{ name: rest.name, execute: rest.execute, workflow },
    ...(typeof description === 'string' && { description }),
    ...(typeof longDescription === 'string' && { longDescription }),
    exportedFrom: { workflow: metadata?.workflow, version: metadata?.version },
  }));

type ParsedFile = z.output<typeof file> & {
  longDescription?: string;
  exportedFrom?: z.output<typeof exported>['exportedFrom'];
};
/**
 * A workflow file: the workflow, and the inputs and options of its runs. `path` is absolute, and `text` is what the
 * file contains. `exportedFrom` is the version that the server exported.
 */
export type WorkflowFile = ParsedFile & { path: string; text: string };

/** @throws CliError with the paths of all errors if the file is not a workflow file */
export async function readWorkflowFile(path: string): Promise<WorkflowFile> {
  const text = await readText(path);
  return { ...parseWorkflowFile(text, path), path: resolve(path), text };
}

/** The messages of the API, such as those that suggest the nearest field. */
const MESSAGES = { error: describeContractIssue };

/** @param path appears in error messages */
export function parseWorkflowFile(text: string, path: string): ParsedFile {
  const content = parseText(text, path);
  const result = isExport(content) ? exported.safeParse(content, MESSAGES) : file.safeParse(content, MESSAGES);
  if (result.success) return result.data;
  const positions = new YamlPositions(text);
  const lines = result.error.issues.flatMap((issue) => describeIssue(issue, positions));
  throw new CliError(`${path} is not a workflow file:\n${lines.join('\n')}`);
}

function describeIssue(issue: z.core.$ZodIssue, positions: YamlPositions): string[] {
  const line = (place: PropertyKey[], problem: string) => {
    const position = positions.find(place.map(String));
    const start = position ? `line ${position.line}, column ${position.column}: ` : '';
    return `  ${start}${place.map(String).join('.') || '(top)'}: ${problem}`;
  };
  if (issue.code !== 'unrecognized_keys') return [line(issue.path, issue.message)];
  // The message has one line per key.
  const problems = issue.message.split('\n');
  return issue.keys.map((key, index) => line([...issue.path, key], problems[index] ?? 'is not a known field'));
}

const isExport = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && 'millrace' in content;

/** The YAML parser also reads JSON, but takes a hundred times as long. */
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
    throw new CliError(`${path} is not valid YAML${describeYamlError(error)}`);
  }
}

function describeYamlError(error: unknown): string {
  const { message } = error as Error;
  const [place] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
  if (!place) return `: ${message}`;
  return `, line ${place.line}, column ${place.col}: ${message.replace(/ at line \d+, column \d+/, '')}`;
}

/** @throws CliError if the file does not exist or is a folder */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CliError(`The file ${path} does not exist.`);
    if (code === 'EISDIR') throw new CliError(`${path} is a folder. Use the path of a workflow file.`);
    throw error;
  }
}
