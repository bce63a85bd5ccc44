import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { InvalidArgumentError, type Command } from 'commander';
import type { Operation } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { print, toJson } from '../print-records.js';
import { collectAssignments } from './collect-assignments.js';
import { addCommand } from './command-group.js';

/** This command reaches every operation, so it is a route of none. */
export const OPERATIONS: string[] = [];

interface Options {
  field?: Record<string, string>;
  data?: string;
  paginate?: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Calls any operation by method and path. */
export function addApi(program: Command, { env }: CliContext): void {
  addCommand(program, 'api', 'call any operation of the API, and print its response', [
    'api GET /runs --field page_size=5',
    'api GET /runs --paginate',
    'api PATCH /runs/42 --field name=nightly --field pinned=true',
    'api POST /spaces --data @space.json',
  ])
    .argument('<method>', METHODS.join(', '), parseMethod)
    .argument('<path>', 'path below /api, such as /runs/42')
    .option(
      '-f, --field <name=value>',
      'field of the query (GET, DELETE) or of the body; repeatable',
      collectAssignments('name=value'),
    )
    .option('-d, --data <json>', 'body: JSON, @file, or - for standard input')
    .option('--paginate', 'request all pages, and print the records of all as one list')
    .addHelpText(
      'after',
      '\nIn a body, true, false, null and numbers are not text. Responses that are JSON are printed as JSON in any case.',
    )
    .action(async (method: string, path: string, { field = {}, data, paginate }: Options) => {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      if (data !== undefined && !hasBody) throw new CliError(`--data needs POST, PUT or PATCH (got ${method}).`);
      if (paginate && method !== 'GET') throw new CliError(`--paginate needs GET (got ${method}).`);
      const content = data === undefined ? {} : await readData(data);
      const client = await connect(env);
      const { path: cleanPath, query } = splitPath(path);
      const operation = { name: 'api', method, path: cleanPath };
      const input = hasBody
        ? {
            query,
            body: Object.keys(field).length > 0 ? { ...(content as object), ...toValues(field) } : content,
          }
        : { query: { ...query, ...field } };
      if (!paginate) return write(await client.send(operation, input));
      const all: unknown[] = [];
      for await (const page of client.list(operation, { query: input.query }).pages()) {
        const { results } = page as { results?: unknown };
        if (!Array.isArray(results))
          throw new CliError('The response does not contain a list of records, so it has no pages.');
        all.push(...(results as unknown[]));
      }
      return print(toJson(all));
    });
}

function parseMethod(text: string): string {
  const method = text.toUpperCase();
  if (!METHODS.includes(method)) throw new InvalidArgumentError(`Use one of ${METHODS.join(', ')}.`);
  return method;
}

/** Takes the path as users copy it: with or without `/api`, the slash at its start, and a query. */
function splitPath(path: string): Pick<Operation, 'path'> & { query: Record<string, string> } {
  const [, name = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  const clean = `/${name.replace(/^\/+/, '')}`.replace(/^\/api(?=\/|$)/, '');
  if (clean.includes('{')) throw new CliError(`Replace the parameters of ${path} by values.`);
  return { path: clean, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Reads JSON from an argument, a file (`@file`) or standard input (`-`). */
export async function readData(data: string): Promise<unknown> {
  const text =
    data === '-'
      ? await readStream(process.stdin)
      : data.startsWith('@')
        ? await readFile(data.slice(1), 'utf8')
        : data;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CliError(`--data is not valid JSON: ${(error as Error).message}`);
  }
}

const toValues = (fields: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, toValue(text)]));

/** JSON scalars are read as such; all else is text. */
export function toValue(text: string): unknown {
  return /^(true|false|null|-?(0|[1-9]\d{0,14})(\.\d+)?)$/.test(text) ? (JSON.parse(text) as unknown) : text;
}

/** Prints JSON in lines, and anything else as it is received. */
export async function write(response: Response): Promise<void> {
  if (response.headers.get('content-type')?.startsWith('application/json')) return print(toJson(await response.json()));
  for await (const chunk of response.body ?? []) await print(chunk);
}
