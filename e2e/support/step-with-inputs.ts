import { script, type Draft } from './run-workflow.js';

/** A workflow of one script with inputs: a text, a flag, one that is connected, and a file. */
export const stepWithInputs: Draft = {
  inputs: { 'string-input-1': { type: 'STRING', label: 'depth', value: 'x' } },
  nodes: {
    'a-1': script('echo "$1"', {
      inputs: {
        level: { type: 'STRING', order: 1, value: '1' },
        fast: { type: 'BOOLEAN', order: 2, command: '-f' },
        depth: { type: 'STRING', order: 3 },
        list: { type: 'FILE', order: 4, visible: false },
      },
    }),
  },
  edges: [['string-input-1/output', 'a-1/depth/string-input-1']],
};
