import type { ParamValue } from '@millrace/graph/params/set-params';
import type { Run } from '@millrace/persistence/generated/client';

/** A type, not an interface, so that it can be assigned to a JSON column. */
export type StoredParameters = Record<string, Record<string, ParamValue>>;

/** The changed parameters of a run as a field of its API record. */
export const toParameters = ({ parameters }: Pick<Run, 'parameters'>): { parameters?: StoredParameters } =>
  parameters === null ? {} : { parameters: parameters as StoredParameters };
