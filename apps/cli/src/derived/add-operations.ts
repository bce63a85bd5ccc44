import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { Operation } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { readData, toValue, write } from '../commands/api.js';
import { addCommand } from '../commands/command-group.js';
import { writeAtomically } from '../files/write-atomically.js';
import { OPERATION_COMMANDS } from '../generated/operations.js';
import type { OperationCommand, OperationField } from './operation-command.js';

/** Options of all commands. A field with such a name has the option `--field-<name>`. */
const RESERVED = ['url', 'profile', 'json', 'help', 'data', 'output'];

/** Bodies that are not JSON: they come from a file. */
const CONTENT = ['upload', 'rows', 'raw', 'content'];

/** Adds the operations of a resource to its command, except those whose name exists. The contract declares all of them. */
export function addOperations(command: Command, resource: string, context: CliContext): void {
  for (const operation of OPERATION_COMMANDS) {
    if (operation.resource !== resource || command.commands.some((one) => one.name() === operation.name)) continue;
    addOperation(command, operation, context);
  }
}

function addOperation(parent: Command, operation: OperationCommand, { env }: CliContext): void {
  const { resource, name, summary, description, params, query, body } = operation;
  const required = [...query, ...body].filter(({ isRequired }) => isRequired);
  const example = [
    ...[resource, name, ...params.map((param) => `<${param.name}>`)],
    ...required.filter(({ isSecret }) => !isSecret).map((field) => `--${optionName(field)} <${typeName(field)}>`),
    ...(required.some(({ isSecret }) => isSecret) ? ['--data - < secrets.json'] : []),
  ].join(' ');
  const command = addCommand(parent, name, summary, [example]);
  if (description !== undefined) command.addHelpText('after', `\n${description}`);
  for (const param of params) command.argument(`<${param.name}>`);
  const secrets = body.filter(({ isSecret }) => isSecret);
  for (const field of [...query, ...body]) if (!field.isSecret) addField(command, field);
  if (secrets.length > 0) {
    const names = secrets.map((field) => field.name).join(', ');
    command.addHelpText('after', `\nSecrets are read from standard input (--data -) or a file: ${names}.`);
  }
  if (operation.method !== 'GET' && operation.method !== 'DELETE')
    command.option('--data <json>', 'body: JSON, @file, or - for standard input');
  if (operation.hasNoJson) command.option('--output <file>', 'file for the response (default: standard output)');
  command.action(async (...args: unknown[]) => {
    const options = command.opts<Record<string, string>>();
    const values = Object.fromEntries(params.map(({ key }, index) => [key, args[index]]));
    const client = await connect(env);
    const called = {
      ...{ name: operation.operation, method: operation.method, path: operation.path },
      ...(operation.isPublic && { access: { kind: 'public' } }),
    } satisfies Operation;
    const input = { params: values, query: readFields(query, options) };
    if (CONTENT.includes(operation.transfer ?? '')) {
      const { data = '' } = options;
      if (!data.startsWith('@')) throw new CliError('Use --data @file: the body of this operation is not JSON.');
      const content = { headers: {}, isRepeatable: false, isSingleUse: false, timeoutMs: 600_000 };
      const stream = () => Readable.toWeb(createReadStream(data.slice(1))) as BodyInit;
      const result = await client.sendContent(called, input, { ...content, body: stream });
      process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      return;
    }
    if (secrets.length > 0) refuseLiteral(options['data']);
    const data = options['data'] === undefined ? {} : ((await readData(options['data'])) as object);
    const response = await client.send(called, { ...input, body: { ...data, ...readFields(body, options) } });
    if (options['output'] !== undefined && response.body) await writeAtomically(options['output'], response.body);
    else await write(response);
  });
}

/** Other users of the machine can list the arguments of processes. */
function refuseLiteral(data: string | undefined): void {
  if (data !== undefined && data !== '-' && !data.startsWith('@'))
    throw new CliError('The body contains a secret: use --data - for standard input, or --data @file.');
}

const optionName = ({ name }: OperationField): string => {
  const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
  return RESERVED.includes(kebab) ? `field-${kebab}` : kebab;
};

const typeName = ({ type }: OperationField): string => (type === 'string' ? 'text' : type === 'any' ? 'json' : type);

const attributeName = (field: OperationField): string =>
  optionName(field).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function addField(command: Command, field: OperationField): void {
  const { description = '', values, isRequired } = field;
  const flag = `--${optionName(field)}`;
  if (command.options.some(({ long }) => long === flag)) return;
  const notes = [description, values?.join(', ') ?? '', isRequired ? 'required' : ''].filter(Boolean).join('; ');
  command.option(`${flag} <${typeName(field)}>`, notes);
}

/** The fields that the user sets. Those that are not text are JSON. */
function readFields(fields: readonly OperationField[], options: Record<string, string>): Record<string, unknown> {
  const set = fields.flatMap((field) => {
    const text = options[attributeName(field)];
    return text === undefined ? [] : [[field.name, field.type === 'string' ? text : parseField(field, text)] as const];
  });
  return Object.fromEntries(set);
}

function parseField({ type, name }: OperationField, text: string): unknown {
  if (type !== 'object' && type !== 'array' && !/^[[{"]/.test(text)) return toValue(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CliError(`"${name}" must be JSON (got ${text}).`);
  }
}
