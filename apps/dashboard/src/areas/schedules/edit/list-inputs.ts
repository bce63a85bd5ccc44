/** An input that runs of a workflow accept. */
export interface WorkflowInput {
  /** Its label, or its id if it has none: the key in `inputs`. */
  key: string;
  type: 'STRING' | 'BOOLEAN' | 'FILE' | 'FOLDER';
  /** The workflow's own value. */
  value?: string | boolean;
}

const TYPES: readonly string[] = ['STRING', 'BOOLEAN', 'FILE', 'FOLDER'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The inputs in the data of a version. */
export function listInputs(data: Record<string, unknown>): WorkflowInput[] {
  const { primitiveNodes } = data;
  if (!isRecord(primitiveNodes)) return [];
  return Object.entries(primitiveNodes).flatMap(([id, node]): WorkflowInput[] => {
    if (!isRecord(node) || !TYPES.includes(String(node['type']))) return [];
    const { label, value } = node;
    const hasValue = typeof value === 'string' || typeof value === 'boolean';
    return [
      {
        key: typeof label === 'string' && label !== '' ? label : id,
        type: node['type'] as WorkflowInput['type'],
        ...(hasValue && { value }),
      },
    ];
  });
}
