import type { WorkflowsRunBody } from '@millrace/client';
import { quoteWord } from '../../../text/quote-word.js';
import type { Document, InputRecord } from '../document/document.js';

/** An input of the workflow that a run can set. */
export interface RunInput {
  id: string;
  name: string;
  type: InputRecord['type'];
  fallback: string | boolean | undefined;
  isRequired: boolean;
}

/** Inputs with a label of their own, and those without a value. */
export function listRunInputs({ primitiveNodes }: Document): RunInput[] {
  return Object.entries(primitiveNodes).flatMap(([id, { type, label, value }]) => {
    const hasValue = value !== undefined && value !== null && value !== '';
    const isNamed = label !== undefined && label !== null && label !== '' && label !== value;
    if (!isNamed && hasValue) return [];
    const fallback = typeof value === 'boolean' ? value : hasValue ? String(value) : undefined;
    return [{ id, name: isNamed ? label : id, type, fallback, isRequired: !hasValue && type !== 'BOOLEAN' }];
  });
}

export interface RunChoices {
  /** By id of the input; what equals its default is left out. */
  values: Readonly<Record<string, string | boolean>>;
  name: string;
  parallelism: number | undefined;
  cache: 'node' | 'always' | 'never';
  /** Only these nodes and everything that they depend on. */
  until: readonly string[];
}

/** The body of the request that starts a run. */
export function toRunBody(inputs: readonly RunInput[], choices: RunChoices): WorkflowsRunBody {
  const { values, name, parallelism, cache, until } = choices;
  const changed = inputs.flatMap(({ id, fallback }) => {
    const value = values[id];
    return value === undefined || value === fallback || (value === '' && fallback === undefined)
      ? []
      : [[id, value] as const];
  });
  return {
    ...(changed.length > 0 && { inputs: Object.fromEntries(changed) }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(parallelism !== undefined && { parallelism }),
    ...(cache !== 'node' && { use_cache: cache === 'always' }),
    ...(until.length > 0 && { part: { until: [...until] } }),
  };
}

/** Inputs that the run cannot start without. */
export const missingInputs = (inputs: readonly RunInput[], values: RunChoices['values']): RunInput[] =>
  inputs.filter(({ id, isRequired }) => isRequired && (values[id] === undefined || values[id] === ''));

/** The command that starts the same run. The command line has no option for the name of a run. */
export function toCommand(workflow: string, { inputs, parallelism, use_cache: cache, part }: WorkflowsRunBody): string {
  const words = [
    ...Object.entries(inputs ?? {}).map(([id, value]) => `--input ${quoteWord(`${id}=${String(value)}`)}`),
    parallelism !== undefined && `--parallelism ${parallelism}`,
    cache !== undefined && (cache ? '--cache' : '--no-cache'),
    part?.until && part.until.length > 0 && `--until ${part.until.map(quoteWord).join(' ')}`,
    '--watch',
  ].filter((word) => typeof word === 'string');
  return [`npx millrace run ${workflow}`, ...words].join(' \\\n  ');
}

/** The same as a request of the REST API. */
export const toRequest = (origin: string, workflow: string, body: WorkflowsRunBody): string =>
  [
    `curl ${origin}/api/workflows/${workflow}/runs`,
    `-H "Authorization: Token $MILLRACE_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoteWord(JSON.stringify(body))}`,
  ].join(' \\\n  ');
