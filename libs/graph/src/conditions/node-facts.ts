import { FACT_NAMES, type FactName } from '../plan/condition.js';

type FactType = 'number' | 'status' | 'text';

export const FACT_TYPES: Readonly<Record<FactName, FactType>> = {
  status: 'status',
  exit_code: 'number',
  children: 'number',
  succeeded: 'number',
  failed: 'number',
  skipped: 'number',
  files: 'number',
  size: 'number',
  lines: 'number',
  first_line: 'text',
};

export const FINAL_STATUSES = ['SUCCEEDED', 'FAILED', 'STOPPED', 'SKIPPED'] as const;

/** Facts of one file, which no group of children has. */
export const SINGLE_FACTS: readonly FactName[] = ['lines', 'first_line'];

/** Lists the facts that a node of a type has. A splitter runs no program and has no files. */
export function listFacts(type: string): readonly FactName[] {
  if (type === 'SPLITTER') return ['status', 'children'];
  return type === 'APPROVAL' ? FACT_NAMES.filter((fact) => fact !== 'exit_code') : FACT_NAMES;
}

export const isFactName = (name: string): name is FactName => FACT_NAMES.some((fact) => fact === name);
