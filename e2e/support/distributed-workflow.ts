import { script, type Draft } from './run-workflow.js';

/**
 * A workflow that splits its work: `source-1` lists items, `each-1` processes each of them, `gather-1` joins their outputs.
 * @param items their number
 * @param seconds how long each takes
 */
export const distributedWorkflow = (items: number, seconds: number): Draft => ({
  nodes: {
    'source-1': script(`seq ${items}`),
    'each-1': {
      type: 'TOOL',
      container: { command: ['/bin/sh', '-c', `sleep ${seconds}; echo "did $0"`] },
      output_command: '>',
      inputs: { item: { type: 'STRING', order: 1 } },
      distribution: { input: 'item', mode: 'line' },
    },
    'gather-1': script(`for i in $(seq ${items}); do cat "in/each-1/$i/output.txt"; done`),
  },
  edges: [
    ['source-1/file', 'each-1/item'],
    ['each-1/folder', 'gather-1/folder'],
  ],
});
