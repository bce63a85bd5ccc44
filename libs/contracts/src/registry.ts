import * as callers from './auth/callers.js';
import * as sessions from './auth/sessions.js';
import * as users from './auth/users.js';
import * as vaults from './auth/vaults.js';
import type { EventType } from './kit/event.js';
import { healthChecks } from './kit/health.js';
import type { JobType } from './kit/job.js';
import type { AnyOperation } from './kit/operation.js';
import type { Signal } from './kit/signal.js';
import * as notifications from './notifications/notifications.js';
import * as engine from './runs/engine.js';
import * as outputs from './runs/outputs.js';
import * as runs from './runs/runs.js';
import * as subjobs from './runs/subjobs.js';
import * as projects from './workflows/projects.js';
import * as spaces from './workflows/spaces.js';
import * as storage from './workflows/storage.js';
import * as workflowVaults from './workflows/vaults.js';
import * as versions from './workflows/versions.js';
import * as workflows from './workflows/workflows.js';

/** Every file that declares operations, events, jobs or signals. What is exported there is in the registry. */
const declared: unknown[] = [
  sessions,
  users,
  vaults,
  callers,
  spaces,
  projects,
  workflows,
  versions,
  storage,
  workflowVaults,
  runs,
  subjobs,
  outputs,
  engine,
  notifications,
  healthChecks,
].flatMap((file): unknown[] => Object.values(file));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const operations = declared.filter(
  (value): value is AnyOperation => isObject(value) && 'method' in value && 'access' in value,
);
export const restOperations = operations.filter((operation) => operation.access.kind !== 'internal');
export const events = declared.filter((value): value is EventType => isObject(value) && 'listeners' in value);
export const jobs = declared.filter((value): value is JobType => isObject(value) && 'queue' in value);
export const signals = declared.filter(
  (value): value is Signal => isObject(value) && 'subject' in value && 'from' in value,
);
