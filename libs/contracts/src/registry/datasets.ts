import * as columns from '../datasets/columns.js';
import * as datasets from '../datasets/datasets.js';
import * as detectedTables from '../datasets/detected-tables.js';
import * as exportRequests from '../datasets/exports.js';
import * as datasetJobs from '../datasets/jobs.js';
import * as loads from '../datasets/loads.js';
import * as queryFolders from '../datasets/query-folders.js';
import * as reportingNodes from '../datasets/reporting-nodes.js';
import * as rows from '../datasets/rows.js';
import * as runTables from '../datasets/run-tables.js';
import * as solutions from '../datasets/solutions.js';
import * as tableChanges from '../datasets/table-changes.js';
import * as views from '../datasets/views.js';
import { collect } from './collect.js';

/** What the service datasets declares. */
export const datasetsContracts = collect([
  solutions,
  datasets,
  columns,
  rows,
  loads,
  runTables,
  tableChanges,
  views,
  queryFolders,
  reportingNodes,
  detectedTables,
  exportRequests,
  datasetJobs,
]);
