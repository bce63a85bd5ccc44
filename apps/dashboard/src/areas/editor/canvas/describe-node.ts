import type { InputRecord, NodeRecord } from '../document/document.js';

/** The line below a node's name: what it runs, without its first comments. */
export function describeNode(node: NodeRecord): string {
  switch (node.type) {
    case 'TOOL': {
      const command = node.container?.command;
      return (typeof command === 'string' ? command : command?.join(' ')) ?? 'no command';
    }
    case 'SCRIPT':
      return firstLine(node.script?.source ?? '');
    case 'SPLITTER':
      return 'one item per line';
    case 'WORKFLOW':
      return 'another workflow';
    case 'APPROVAL':
      return node.approval?.message ?? 'waits for a person';
  }
}

function firstLine(source: string): string {
  const lines = source.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('#') && !line.startsWith('set -')) ?? 'empty script';
}

export function describeInput({ value }: InputRecord): string {
  if (value === undefined || value === null || value === '') return 'set for each run';
  return String(value);
}

const MODES = { line: '× lines', batch: '× batches', file: '× files' };

/** How often a node runs, if more than once. */
export function describeDistribution({ distribution }: NodeRecord): string | undefined {
  if (!distribution) return undefined;
  const { mode, splits } = distribution;
  return mode === 'batch' && splits ? `× ${splits}` : MODES[mode];
}
