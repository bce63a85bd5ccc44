import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { restOperations } from '@millrace/contracts/registry';
import { toObjectSchema } from '../schema/to-object-schema.js';
import { TOOLS } from './all-tools.js';
import { isMarked } from './name-requests.js';

const tools = [...TOOLS.values()];

describe('every tool', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('%s has what clients and models need', (name, tool) => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(tool.description).toMatch(/^[A-Z`].{10,}/s);
    expect(tool.inputSchema).toMatchObject({ type: 'object' });
    expect(tool.outputSchema).toMatchObject({ type: 'object' });
    for (const field of Object.keys(tool.inputSchema.properties)) expect(field).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(() => [ajv.compile(tool.inputSchema), ajv.compile(tool.outputSchema)]).not.toThrow();
  });

  it('describes every value, because some clients refuse a schema that allows anything', () => {
    const found = tools.flatMap(({ name, inputSchema, outputSchema }) =>
      [inputSchema, outputSchema].flatMap((schema) => findUntyped(schema, name)),
    );
    expect(found).toEqual([]);
  });

  it('is in the guide', () => {
    const guide = readFileSync(new URL('../../../../docs/guides/mcp.md', import.meta.url), 'utf8');
    const listed = [...guide.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('names other tools only if they exist', () => {
    const names = tools.flatMap(({ description }) =>
      [...description.matchAll(/`([a-z]+_(?!id\b)[a-z_]+)`/g)].map(([, name]) => name!),
    );
    const fields = tools
      .flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema])
      .map((schema) => JSON.stringify(schema));
    const isKnown = (name: string) => TOOLS.has(name) || fields.some((text) => text.includes(`"${name}"`));
    expect(
      names.filter(
        (name) =>
          !isKnown(name) &&
          !/^(page_size|latest_version_id|same_data|changed_nodes|more_changed_nodes|previous_data)$/.test(name),
      ),
    ).toEqual([]);
  });

  it('together take at most 45,000 characters of a context', () => {
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(shown).length).toBeLessThan(45_000);
  });
});

/** Keywords of which one must be present, so that a schema describes its value. */
const TYPING = ['type', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', '$ref', 'not'];

/** @returns paths of schemas without a type; `additionalProperties: true` is clear, and `{}` in its place is not */
function findUntyped(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [path];
  const node = schema as Record<string, unknown>;
  const below = (key: string, value: unknown) => findUntyped(value, `${path}.${key}`);
  const entries = (key: string) => Object.entries(node[key] ?? {});
  return [
    ...(TYPING.some((key) => key in node) ? [] : [path]),
    ...['properties', '$defs', 'anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      entries(key).flatMap(([name, child]) => below(`${key}.${name}`, child)),
    ),
    ...('items' in node ? below('items', node['items']) : []),
    ...(typeof node['additionalProperties'] === 'object'
      ? below('additionalProperties', node['additionalProperties'])
      : []),
  ];
}

describe('the arguments of all tools', () => {
  const names = tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties).map((argument) => `${name}.${argument}`),
  );

  it('are in snake case, and are called `<record>_id` if they take the id of a record', () => {
    expect(names.filter((name) => !/^\w+\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
    const records =
      /\.(space|project|workflow|version|run|subjob|output|solution|table|module|session|parent|other|[ab])$/;
    expect(names.filter((name) => records.test(name))).toEqual(['run_sandbox_command.session', 'stop_sandbox.session']);
  });

  it('use one word for one thing', () => {
    expect(names.filter((name) => /dataset|vault|children|node_name|agent/.test(name))).toEqual([]);
  });

  it('have the same names in descriptions', () => {
    const texts = tools.map(({ description, inputSchema }) => JSON.stringify([description, inputSchema]));
    const former =
      /`(sessionId|agentSessionId|vaultId|dataset_id|space|workflow|node_name|output_name|children|parent)`/;
    expect(texts.filter((text) => former.test(text))).toEqual([]);
  });

  it('are documented in the mark of an operation only if it has them', () => {
    for (const { name, tool, params, query, body } of restOperations.filter(isMarked)) {
      const fields = [params, query, body].flatMap((part) => Object.keys(toObjectSchema(part, 'input').properties));
      expect([name, Object.keys(tool.arguments ?? {}).filter((field) => !fields.includes(field))]).toEqual([name, []]);
    }
  });
});

it('rows of a table are objects', () => {
  expect(TOOLS.get('query_table')?.outputSchema.properties['results']).toMatchObject({ items: { type: 'object' } });
});

it('hints follow from the method of an operation and from its mark', () => {
  const hints = (name: string) => TOOLS.get(name)?.annotations;
  expect(hints('list_runs')).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
  expect(hints('validate_workflow')).toMatchObject({ readOnlyHint: true });
  expect(hints('delete_workflow')).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  expect(hints('retry_run')).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
});
