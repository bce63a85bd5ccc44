import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { CliFailure } from '../cli-failure.js';
import { expandEdge } from './expand-edge.js';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar)]);
/** What an input of a run is given: a value, or a list, which becomes a file of lines. */
export type GivenValue = z.infer<typeof value>;

const endpoint = z.union([z.string().min(1), z.looseObject({ id: z.string().min(1) })]);
const edge = z.union([
  z.strictObject({ from: z.string().min(1), to: z.string().min(1) }),
  z.looseObject({ source: endpoint, destination: endpoint }),
]);
export type WrittenEdge = z.infer<typeof edge>;

const node = z.looseObject({ type: z.string(), workflow: z.string().optional() });
const primitive = z.looseObject({ type: z.string(), label: z.string().optional() });

const file = z.strictObject({
  name: z.string().min(1).max(255),
  description: z.string().max(2000).optional(),
  workflow: z.looseObject({
    nodes: z.record(z.string(), node).default({}),
    connections: z
      .array(edge)
      .default([])
      .transform((edges) => edges.map(expandEdge)),
    primitiveNodes: z.record(z.string(), primitive).default({}),
  }),
  execute: z
    .strictObject({
      inputs: z.record(z.string(), value).default({}),
      outputs: z.array(z.string()).optional(),
      parallelism: z.int().min(1).max(10_000).optional(),
    })
    .default({ inputs: {} }),
});

/** A workflow as a file: what it is, and how the command line runs it. `path` is absolute. */
export type WorkflowFile = z.output<typeof file> & { path: string };
export type FileData = WorkflowFile['workflow'];

/** @throws CliFailure where the file is no workflow, with the place in it */
export async function readWorkflowFile(path: string): Promise<WorkflowFile> {
  return { ...parseWorkflowFile(await readFile(path, 'utf8'), path), path: resolve(path) };
}

/** @param path named in messages */
export function parseWorkflowFile(text: string, path: string): z.output<typeof file> {
  const read = file.safeParse(parseYaml(text, path));
  if (read.success) return read.data;
  const lines = read.error.issues.map((issue) => `  ${issue.path.map(String).join('.') || '(top)'}: ${issue.message}`);
  throw new CliFailure(`${path} is not a workflow file:\n${lines.join('\n')}`);
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CliFailure(`${path} is not valid YAML: ${(error as Error).message}`);
  }
}
