import * as approvals from '../runs/approvals.js';
import * as cache from '../runs/cache.js';
import * as cachedResults from '../runs/cached-results.js';
import * as childStatuses from '../runs/child-statuses.js';
import * as compare from '../runs/compare.js';
import * as contents from '../runs/contents.js';
import * as control from '../runs/control.js';
import * as dryRun from '../runs/dry-run.js';
import * as engine from '../runs/engine.js';
import * as failures from '../runs/failures.js';
import * as logTimes from '../runs/log-times.js';
import * as outputs from '../runs/outputs.js';
import * as parameters from '../runs/parameters.js';
import * as runs from '../runs/runs.js';
import * as sandboxHosts from '../runs/sandbox-hosts.js';
import * as sandbox from '../runs/sandbox.js';
import * as subjobs from '../runs/subjobs.js';
import * as workers from '../runs/workers.js';
import { collect } from './collect.js';

/** What the service runs declares. */
export const runsContracts = collect([
  runs,
  subjobs,
  workers,
  childStatuses,
  logTimes,
  outputs,
  failures,
  approvals,
  control,
  parameters,
  dryRun,
  compare,
  contents,
  cache,
  cachedResults,
  engine,
  sandbox,
  sandboxHosts,
]);
