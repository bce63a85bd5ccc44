import { quoteWord } from '../../../text/quote-word.js';
/** What a node executes, as its version says. */
export interface NodeProgram {
  title: string;
  text: string;
  /** The container image; absent for the default one. */
  image?: string;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A command with its arguments as a shell would take it. */
export const toCommandLine = (words: readonly string[]): string => words.map(quoteWord).join(' ');

/**
 * Reads the program of a node from the data of a version. Nodes inside of modules are in another version, so they have none.
 * @param params the values that the node ran with; FILE and FOLDER inputs have `name/source` as their key
 */
export function readProgram(data: unknown, node: string, params: Fields): NodeProgram | undefined {
  const nodes = isFields(data) ? data['nodes'] : undefined;
  const record = isFields(nodes) ? nodes[node] : undefined;
  if (!isFields(record)) return undefined;
  const { script, container } = record;
  if (isFields(script)) {
    const source = textOf(script['source']);
    if (source === undefined) return undefined;
    return { title: `Script (${textOf(record['script_type']) ?? 'bash'})`, text: source, ...imageOf(script) };
  }
  if (!isFields(container)) return undefined;
  const { command, args } = container;
  const words = Array.isArray(command) ? command.map(String) : (textOf(command) ?? '').split(/\s+/).filter(Boolean);
  const fixed = Array.isArray(args) ? args.map(String) : [];
  return {
    title: 'Command',
    text: toCommandLine([...words, ...fixed, ...argumentsOf(record['inputs'], params)]),
    ...imageOf(container),
  };
}

const imageOf = (record: Fields): { image?: string } => {
  const image = textOf(record['image']);
  return image === undefined ? {} : { image };
};

/** The arguments of a tool, in the order of its inputs. */
function argumentsOf(inputs: unknown, params: Fields): string[] {
  if (!isFields(inputs)) return [];
  const declared = Object.entries(inputs).filter((entry): entry is [string, Fields] => isFields(entry[1]));
  const order = ([, { order: place }]: [string, Fields]) => (typeof place === 'number' ? place : Infinity);
  const sorted = declared.sort((a, b) => order(a) - order(b) || (a[0] < b[0] ? -1 : 1));
  return sorted.flatMap(([name, input]) =>
    valuesOf(name, params).flatMap((value) => {
      const flag = textOf(input['command']);
      if (typeof value === 'boolean') return value && flag !== undefined ? [flag] : [];
      return flag === undefined ? [String(value)] : [flag, String(value)];
    }),
  );
}

const valuesOf = (name: string, params: Fields): unknown[] =>
  Object.entries(params).flatMap(([key, value]) => (key === name || key.startsWith(`${name}/`) ? [value] : []));
