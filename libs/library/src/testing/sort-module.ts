import type { UsedModule } from '../expand-uses.js';

/** A module with an input of each kind: a text, a flag and a file. */
export const sort: UsedModule = {
  id: '01938f5e-7c11-7000-8000-000000000001',
  version: 3,
  name: 'sort-lines',
  type: 'TOOL',
  container: { command: ['sort'] },
  output_command: '>',
  inputs: [
    { name: 'key', type: 'STRING', order: 1, command: '--key' },
    { name: 'unique', type: 'BOOLEAN', order: 2, command: '--unique', value: false },
    { name: 'file', type: 'FILE', order: 9, required: true },
  ],
  outputs: [{ name: 'file', type: 'FILE', order: 1 }],
};
