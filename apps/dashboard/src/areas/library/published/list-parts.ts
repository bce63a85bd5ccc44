/** A node or an input of a workflow, as a list shows it. */
export interface PartView {
  name: string;
  label: string;
  kind: string;
  /** The value of an input; the module, command or first line of a node. */
  detail: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The inputs and nodes in the data of a version. The data has passed the server's checks, but its type is open. */
export function listParts(data: Record<string, unknown>): { inputs: PartView[]; nodes: PartView[] } {
  return {
    inputs: entriesOf(data['primitiveNodes']).map(([name, part]) => ({
      name,
      label: textOf(part['label']) || name,
      kind: textOf(part['type']),
      detail: textOf(part['value']),
    })),
    nodes: entriesOf(data['nodes']).map(([name, part]) => ({
      name,
      label: labelOf(part) || name,
      kind: textOf(part['type']),
      detail: textOf(part['uses']) || describeProgram(part),
    })),
  };
}

/** The command of a tool, or the first line of a script that is no comment. */
function describeProgram({ container, script }: Record<string, unknown>): string {
  if (isRecord(container)) {
    const { command } = container;
    return Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : textOf(command);
  }
  const lines = isRecord(script) ? textOf(script['source']).split('\n') : [];
  return lines.find((line) => line.trim() !== '' && !line.startsWith('#'))?.trim() ?? '';
}

const labelOf = ({ meta }: Record<string, unknown>): string => (isRecord(meta) ? textOf(meta['label']) : '');

const entriesOf = (value: unknown): [string, Record<string, unknown>][] =>
  isRecord(value)
    ? Object.entries(value).filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]))
    : [];
