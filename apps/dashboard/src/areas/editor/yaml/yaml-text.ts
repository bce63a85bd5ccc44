import { Document as YamlDocument, parseDocument, visit } from 'yaml';
import { type Document, writeData } from '../document/document.js';
import { readConnection, writeConnection } from '../ports/read-connection.js';

/** The data of a workflow as YAML, with connections in their compact form. */
export function writeYaml(document: Document): string {
  const { connections, ...data } = writeData(document);
  const compact = (connections as unknown[]).map((record) => {
    const ends = readConnection(record as Document['connections'][string]);
    if (!ends || Object.keys(record as object).length > 2) return record;
    const { source, sourcePort, target, targetPort } = ends;
    const from = sourcePort === '' ? source : `${source}/${sourcePort}`;
    return { from, to: targetPort === '' ? target : `${target}/${targetPort}` };
  });
  const yaml = new YamlDocument({ ...data, connections: compact }, { aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && LOST_IN_BLOCKS.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return yaml.toString({ lineWidth: 0 });
}

/** Texts that begin with a line of spaces: in a block of lines, the library loses these spaces. */
const LOST_IN_BLOCKS = /^\s*[ \t]\n/;

export type ParsedYaml =
  | { data: Record<string, unknown> }
  | { problem: { line: number; column: number; message: string } };

/** Reads YAML as `writeYaml` writes it, or in the full form. Aliases are refused, because a short text can expand to gigabytes. */
export function readYaml(text: string): ParsedYaml {
  const parsed = parseDocument(text, { uniqueKeys: true });
  const [error] = parsed.errors;
  if (error) {
    const { line = 1, col = 1 } = error.linePos?.[0] ?? {};
    return { problem: { line, column: col, message: error.message.split('\n')[0] ?? error.message } };
  }
  let value: unknown;
  try {
    value = parsed.toJS({ maxAliasCount: 0 });
  } catch (thrown) {
    return { problem: { line: 1, column: 1, message: thrown instanceof Error ? thrown.message : String(thrown) } };
  }
  if (value === null || value === undefined) return { data: {} };
  if (typeof value !== 'object' || Array.isArray(value))
    return { problem: { line: 1, column: 1, message: 'The text must have the keys `nodes` and `connections`.' } };
  return { data: expandConnections(value as Record<string, unknown>) };
}

/** Data with connections in their full form. */
export const expandConnections = ({ connections, ...rest }: Record<string, unknown>): Record<string, unknown> => ({
  ...rest,
  ...(Array.isArray(connections) && { connections: connections.map(expandConnection) }),
});

function expandConnection(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { from, to, ...rest } = value as Record<string, unknown>;
  if (typeof from !== 'string' || typeof to !== 'string') return value;
  const [source, sourcePort] = splitFirst(from);
  const [target, targetPort] = splitFirst(to);
  return { ...writeConnection({ source, sourcePort, target, targetPort }), ...rest };
}

function splitFirst(end: string): [name: string, port: string] {
  const slash = end.indexOf('/');
  return slash < 0 ? [end, ''] : [end.slice(0, slash), end.slice(slash + 1)];
}

const HEAD = 'name: draft\ndata:\n';
const HEAD_LINES = 2;
const INDENT = 2;

/** The text as a workflow file, which the API validates with the line of each problem. */
export const toWorkflowFile = (text: string): string =>
  HEAD +
  text
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(INDENT) + line))
    .join('\n');

/** A place in the file as a place in the text. */
export const fromFilePlace = ({
  line = 1,
  column = 1,
}: {
  line?: number;
  column?: number;
}): { line: number; column: number } => ({
  line: Math.max(1, line - HEAD_LINES),
  column: Math.max(1, column - INDENT),
});
