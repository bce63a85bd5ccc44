import * as exchange from '../workflows/exchange.js';
import * as hooks from '../workflows/hooks.js';
import * as library from '../workflows/library.js';
import * as models from '../workflows/models.js';
import * as projects from '../workflows/projects.js';
import * as schedules from '../workflows/schedules.js';
import * as secrets from '../workflows/secrets.js';
import * as snapshots from '../workflows/snapshots.js';
import * as spaces from '../workflows/spaces.js';
import * as storage from '../workflows/storage.js';
import * as triggers from '../workflows/triggers.js';
import * as workflowVaults from '../workflows/vaults.js';
import * as versions from '../workflows/versions.js';
import * as workflowFiles from '../workflows/workflow-files.js';
import * as workflows from '../workflows/workflows.js';
import { collect } from './collect.js';

/** What the service workflows declares. */
export const workflowsContracts = collect([
  spaces,
  projects,
  workflows,
  versions,
  exchange,
  workflowFiles,
  snapshots,
  models,
  library,
  schedules,
  hooks,
  triggers,
  secrets,
  storage,
  workflowVaults,
]);
