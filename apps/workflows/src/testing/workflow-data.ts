export const script = (name: string, source = 'cat in/*/*') => ({
  [name]: { name, type: 'SCRIPT', script_type: 'bash', script: { source }, inputs: {} },
});

export const moduleNode = (name: string, workflow: string) => ({ [name]: { name, type: 'WORKFLOW', workflow } });

export const edge = (source: string, destination: string) => ({
  source: { id: `output/${source}` },
  destination: { id: `input/${destination}` },
});

/** Scripts `step-1` to `step-<length>`; each reads the output of the previous one. */
export function chainOf(length: number, source?: string) {
  const numbers = Array.from({ length }, (_, index) => index + 1);
  return {
    nodes: Object.assign({}, ...numbers.map((at) => script(`step-${at}`, source))) as Record<string, object>,
    connections: numbers.slice(1).map((at) => edge(`step-${at - 1}/file`, `step-${at}/file`)),
  };
}
