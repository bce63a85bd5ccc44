import type { EventType } from '../kit/event.js';
import type { JobType } from '../kit/job.js';
import type { AnyOperation } from '../kit/operation.js';
import type { Signal } from '../kit/signal.js';

/** Contracts by their kind. */
export interface Contracts {
  operations: AnyOperation[];
  events: EventType[];
  jobs: JobType[];
  signals: Signal[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** @param files the modules that declare operations, events, jobs or signals; all their exports count */
export function collect(files: readonly object[]): Contracts {
  const declarations = files.flatMap((file): unknown[] => Object.values(file)).filter(isObject);
  const select = <T>(isKind: (value: Record<string, unknown>) => boolean) => declarations.filter(isKind) as T[];
  return {
    operations: select((value) => 'method' in value && 'access' in value),
    events: select((value) => 'consumers' in value),
    jobs: select((value) => 'queue' in value),
    signals: select((value) => 'subject' in value && 'from' in value),
  };
}
