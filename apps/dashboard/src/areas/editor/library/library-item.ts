import type { Module } from '@millrace/client';
import { matchTypes, type SourceType, type TargetType } from '@millrace/graph/connect/match-types';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import type { IconName } from '../../../ui/icon.js';
import { NODE_KINDS } from '../canvas/node-kinds.js';
import type { InputRecord, NodeRecord } from '../document/document.js';
import { listInputs, listOutputs } from '../ports/list-ports.js';

/** What a library entry adds to the workflow. */
export type Made = { table: 'nodes'; kind: string; node: NodeRecord } | { table: 'primitiveNodes'; input: InputRecord };

export interface LibraryItem {
  /** Unique among all items; it travels with a drag. */
  id: string;
  label: string;
  description: string;
  icon: IconName;
  category: string;
  /** Enough of the record to know its ports. */
  outline: Made;
  make: () => Promise<Made>;
}

const input = (type: InputRecord['type'], label: string, description: string): LibraryItem => {
  const made: Made = { table: 'primitiveNodes', input: { type, ...(type === 'BOOLEAN' && { value: false }) } };
  const { icon } = NODE_KINDS[type];
  return {
    id: `input:${type}`,
    label,
    description,
    icon,
    category: 'Inputs',
    outline: made,
    make: () => Promise.resolve(made),
  };
};

const step = (kind: string, label: string, description: string, node: NodeRecord): LibraryItem => {
  const made: Made = { table: 'nodes', kind, node };
  const { icon } = NODE_KINDS[node.type];
  return {
    id: `step:${kind}`,
    label,
    description,
    icon,
    category: 'Steps',
    outline: made,
    make: () => Promise.resolve(made),
  };
};

/** What every workflow can have, without the library. */
export const BASIC_ITEMS: readonly LibraryItem[] = [
  input('FILE', 'File input', 'A file that each run gets, such as a list of hosts'),
  input('FOLDER', 'Folder input', 'A folder of the storage, or a git repository'),
  input('STRING', 'Text input', 'A text or a number'),
  input('BOOLEAN', 'True or false input', 'Switches a flag on or off'),
  step('script', 'Script', 'Your own lines of Bash, Python, Node.js or Go', {
    type: 'SCRIPT',
    script_type: 'bash',
    script: { source: 'cat in/*/* > out/output.txt\n' },
  }),
  step('splitter', 'Splitter', 'Runs what follows once for each line of a file', { type: 'SPLITTER' }),
  step('approval', 'Approval', 'Waits until a person approves or rejects', {
    type: 'APPROVAL',
    approval: { message: 'Continue?' },
  }),
];

export function moduleItem(module: Module): LibraryItem {
  const type = module.type === 'MODULE' ? 'WORKFLOW' : module.type;
  const inputs = Object.fromEntries((module.inputs ?? []).map(({ name, ...rest }) => [name, rest]));
  const outputs = Object.fromEntries((module.outputs ?? []).map(({ name, ...rest }) => [name, rest]));
  const node = { type, inputs, outputs } as NodeRecord;
  return {
    id: `module:${module.id}`,
    label: module.name,
    description: module.description ?? '',
    icon: NODE_KINDS[type].icon,
    category: module.category ?? 'Other',
    outline: { table: 'nodes', kind: module.name, node },
    make: () => makeFromModule(module.id),
  };
}

async function makeFromModule(id: string): Promise<Made> {
  const { name, node } = await queryClient.fetchQuery({
    queryKey: ['editor', 'module', id],
    queryFn: ({ signal }) => client.modules.get(id, { signal }),
    staleTime: 60_000,
  });
  return { table: 'nodes', kind: name, node: node as unknown as NodeRecord };
}

/** Whether a new node of this kind could be connected with a port. */
export function itemFits(
  { outline }: LibraryItem,
  from: { side: 'inputs' | 'outputs'; type: SourceType | TargetType },
): boolean {
  if (from.side === 'outputs')
    return (
      outline.table === 'nodes' &&
      listInputs(outline.node).some(({ type }) => matchTypes(type, from.type as SourceType) !== null)
    );
  const sources: SourceType[] =
    outline.table === 'nodes' ? listOutputs(outline.node).map(({ type }) => type) : [outline.input.type];
  return sources.some((type) => matchTypes(from.type as TargetType, type) !== null);
}
