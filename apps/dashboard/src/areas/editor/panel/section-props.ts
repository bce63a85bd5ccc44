import type { NodeRecord } from '../document/document.js';
import { type Problem, problemsAt } from '../problems/problems.js';

export interface SectionProps {
  id: string;
  node: NodeRecord;
  problems: readonly Problem[];
}

/** The problems of a field in one text, with how to fix them. */
export function errorOf({ id, problems }: Pick<SectionProps, 'id' | 'problems'>, field: string): string | undefined {
  const found = problemsAt(problems, id, field);
  if (found.length === 0) return undefined;
  return found.map(({ message, hint }) => [message, hint].filter(Boolean).join(' ')).join('\n');
}
