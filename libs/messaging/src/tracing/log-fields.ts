import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields that every log line has while the work lasts that they belong to. */
export interface LogFields {
  /** The request that caused the work. It travels with calls, events and jobs. */
  requestId?: string | undefined;
  /** The requests of a batch of events, if there are several. */
  requestIds?: string[];
  runId?: string;
  dispatchId?: string;
  /** Index of a step in the plan of the run, and of the task; together they identify a subjob. */
  step?: number;
  task?: number;
}

const current = new AsyncLocalStorage<LogFields>();

/** Runs work whose log lines have these fields, in addition to the fields of the surrounding work. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T =>
  current.run({ ...current.getStore(), ...fields }, work);

/** Runs work without the fields of the work that started it. */
export const withoutLogFields = <T>(work: () => T): T => current.exit(work);

/** The fields of the current work. The caller gets a copy. */
export const currentLogFields = (): LogFields => ({ ...current.getStore() });

/** The request that caused the current work; undefined if that is none, or several. */
export const currentRequestId = (): string | undefined => current.getStore()?.requestId;
