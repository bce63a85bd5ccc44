/**
 * The dashboards as short descriptions, from which `build-dashboards.mjs` makes the files that Grafana reads.
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} unit of Grafana: `s`, `bytes`, `percentunit`, `reqps`, `ops` or `short`
 * @property {[query: string, legend: string][]} queries
 * @property {boolean} [isStat] one number instead of a graph
 *
 * @typedef {{ uid: string, title: string, panels: Panel[] }} Dashboard
 */

/** @param {string} metric @param {string} by @param {number} quantile */
const quantileOf = (metric, by, quantile = 0.95) =>
  `histogram_quantile(${quantile}, sum by (${[by, 'le'].filter(Boolean).join(', ')}) (rate(${metric}_bucket[$__rate_interval])))`;

/** @param {string} series @param {string} by */
const rateOf = (series, by) => `sum by (${by}) (rate(${series}[$__rate_interval]))`;

const HTTP = 'millrace_http_request_duration_seconds';

/** @type {Dashboard} */
const overview = {
  uid: 'millrace-overview',
  title: 'Millrace: overview',
  panels: [
    stat('Services down', 'short', 'sum(up{job=~"$job"} == bool 0)'),
    stat('Services not ready', 'short', 'sum(millrace_ready{job=~"$job"} == bool 0)'),
    stat('Active runs', 'short', 'sum(max by (status) (millrace_runs_active))'),
    stat('Waiting subjobs', 'short', 'sum(max by (fleet) (millrace_fleet_waiting_subjobs))'),
    graph('Requests', 'reqps', [rateOf(`${HTTP}_count`, 'status'), '{{status}}']),
    graph('Duration of requests', 's', [quantileOf(HTTP, ''), 'p95'], [quantileOf(HTTP, '', 0.5), 'p50']),
    graph('Processor', 'percentunit', [rateOf('process_cpu_seconds_total{job=~"$job"}', 'job'), '{{job}}']),
    graph('Memory', 'bytes', ['sum by (job) (process_resident_memory_bytes{job=~"$job"})', '{{job}}']),
    graph('Event loop delay, p99', 's', ['max by (job) (nodejs_eventloop_lag_p99_seconds{job=~"$job"})', '{{job}}']),
    graph('Garbage collection', 'percentunit', [
      rateOf('nodejs_gc_duration_seconds_sum{job=~"$job"}', 'job'),
      '{{job}}',
    ]),
    graph('Versions', 'short', ['count by (version) (millrace_build_info)', '{{version}}']),
    graph('Scrapes without values', 'short', [
      'sum by (job, source) (increase(millrace_metric_source_failures_total[$__rate_interval]))',
      '{{job}}: {{source}}',
    ]),
  ],
};

/** @type {Dashboard} */
const runs = {
  uid: 'millrace-runs',
  title: 'Millrace: runs and workers',
  panels: [
    stat('Stalled runs', 'short', 'max(millrace_runs_stalled)'),
    stat('Workers', 'short', 'sum(max by (fleet, state) (millrace_fleet_workers))'),
    graph('Active runs', 'short', ['max by (status) (millrace_runs_active)', '{{status}}']),
    graph('Finished runs', 'ops', [rateOf('millrace_runs_finished_total', 'status'), '{{status}}']),
    graph('Waiting subjobs', 'short', ['max by (fleet) (millrace_fleet_waiting_subjobs)', '{{fleet}}']),
    graph('Age of the oldest waiting subjob', 's', [
      'max by (fleet) (millrace_fleet_oldest_waiting_seconds)',
      '{{fleet}}',
    ]),
    graph(
      'Slots',
      'short',
      ['max by (fleet) (millrace_fleet_slots)', '{{fleet}} slots'],
      ['max by (fleet) (millrace_fleet_busy_slots)', '{{fleet}} busy'],
    ),
    graph('Busy slots by worker', 'percentunit', [
      'millrace_worker_busy_slots / millrace_worker_slots',
      '{{instance}} {{fleet}}',
    ]),
    graph(
      'From dispatch to worker',
      's',
      [quantileOf('millrace_dispatch_latency_seconds', ''), 'p95'],
      [quantileOf('millrace_dispatch_latency_seconds', '', 0.5), 'p50'],
    ),
    graph('Lost dispatches', 'ops', [rateOf('millrace_dispatches_lost_total', 'cause'), '{{cause}}']),
    graph(
      'Steps',
      'ops',
      [rateOf('millrace_step_duration_seconds_count', 'outcome'), '{{outcome}}'],
      ['sum(rate(millrace_steps_cached_total[$__rate_interval]))', 'cached'],
    ),
    graph('Duration of steps, p95', 's', [
      quantileOf('millrace_step_duration_seconds', 'kind, size'),
      '{{kind}} {{size}}',
    ]),
    graph(
      'Sandboxes',
      'short',
      ['sum by (state) (millrace_worker_sandboxes)', '{{state}}'],
      ['sum(millrace_worker_sandbox_slots)', 'slots'],
    ),
  ],
};

/** @type {Dashboard} */
const api = {
  uid: 'millrace-api',
  title: 'Millrace: API',
  panels: [
    graph('Requests by route', 'reqps', [
      `topk(10, ${rateOf(`${HTTP}_count`, 'method, route')})`,
      '{{method}} {{route}}',
    ]),
    graph('Failed requests by route', 'reqps', [
      rateOf(`${HTTP}_count{status=~"5.."}`, 'method, route, status'),
      '{{status}} {{method}} {{route}}',
    ]),
    graph('Duration by route, p95', 's', [`topk(10, ${quantileOf(HTTP, 'method, route')})`, '{{method}} {{route}}']),
    graph('Rejected requests', 'reqps', [rateOf(`${HTTP}_count{status=~"4.."}`, 'status'), '{{status}}']),
    graph('Operations', 'ops', [
      `topk(10, ${rateOf('millrace_operation_duration_seconds_count', 'operation')})`,
      '{{operation}}',
    ]),
    graph('Operations by outcome', 'ops', [
      rateOf('millrace_operation_duration_seconds_count{outcome!="succeeded"}', 'operation, outcome'),
      '{{operation}} {{outcome}}',
    ]),
    graph('Duration of operations, p95', 's', [
      `topk(10, ${quantileOf('millrace_operation_duration_seconds', 'operation')})`,
      '{{operation}}',
    ]),
    graph('Sign-ins', 'ops', [rateOf('millrace_sign_ins_total', 'method, outcome'), '{{method}} {{outcome}}']),
  ],
};

/** @type {Dashboard} */
const messaging = {
  uid: 'millrace-messaging',
  title: 'Millrace: messaging',
  panels: [
    graph('Outbox: entries to relay', 'short', ['max by (job) (millrace_outbox_waiting)', '{{job}}']),
    graph('Outbox: age of the oldest', 's', ['max by (job) (millrace_outbox_lag_seconds)', '{{job}}']),
    graph('Events to handle', 'short', ['max by (consumer) (millrace_event_lag)', '{{consumer}}']),
    graph('Handled events', 'ops', [
      rateOf('millrace_events_handled_total', 'event, consumer, outcome'),
      '{{event}} → {{consumer}} {{outcome}}',
    ]),
    graph('Duration of event batches, p95', 's', [
      quantileOf('millrace_event_batch_duration_seconds', 'event, consumer'),
      '{{event}} → {{consumer}}',
    ]),
    graph('Jobs by state', 'short', ['max by (queue, state) (millrace_queue_jobs)', '{{queue}} {{state}}']),
    graph('Age of the oldest job', 's', ['max by (queue) (millrace_queue_oldest_seconds)', '{{queue}}']),
    graph('Processed jobs', 'ops', [
      rateOf('millrace_job_duration_seconds_count', 'kind, outcome'),
      '{{kind}} {{outcome}}',
    ]),
    graph('Webhook deliveries', 'ops', [rateOf('millrace_webhook_deliveries_total', 'outcome'), '{{outcome}}']),
    graph('Mails', 'ops', [rateOf('millrace_mails_total', 'outcome'), '{{outcome}}']),
  ],
};

/** @type {Dashboard} */
const data = {
  uid: 'millrace-data',
  title: 'Millrace: data',
  panels: [
    graph('Database connections', 'short', [
      'sum by (job, state) (millrace_database_connections)',
      '{{job}} {{state}}',
    ]),
    graph('Free disk space', 'percentunit', [
      'min by (job, folder) (millrace_disk_free_bytes / millrace_disk_size_bytes)',
      '{{job}} {{folder}}',
    ]),
    graph('Object store: operations', 'ops', [
      rateOf('millrace_storage_operation_duration_seconds_count', 'operation, outcome'),
      '{{operation}} {{outcome}}',
    ]),
    graph('Object store: duration, p95', 's', [
      quantileOf('millrace_storage_operation_duration_seconds', 'operation'),
      '{{operation}}',
    ]),
    graph('Loads of Live Tables', 'ops', [rateOf('millrace_table_loads_total', 'outcome'), '{{outcome}}']),
    graph('Loaded rows', 'ops', [rateOf('millrace_table_load_rows_total', 'change'), '{{change}}']),
    graph('Duration of loads, p95', 's', [quantileOf('millrace_table_load_duration_seconds', ''), 'p95']),
    graph('Exports', 'ops', [rateOf('millrace_exports_total', 'outcome'), '{{outcome}}']),
    graph('Duration of exports, p95', 's', [quantileOf('millrace_export_duration_seconds', ''), 'p95']),
  ],
};

/** @param {string} title @param {string} unit @param {[string, string][]} queries @returns {Panel} */
function graph(title, unit, ...queries) {
  return { title, unit, queries };
}

/** @param {string} title @param {string} unit @param {string} query @returns {Panel} */
function stat(title, unit, query) {
  return { title, unit, queries: [[query, title]], isStat: true };
}

export const DASHBOARDS = [overview, runs, api, messaging, data];
