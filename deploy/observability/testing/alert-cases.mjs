/**
 * For each alert, series with which it fires, and similar ones with which it does not; all `quiet` series are checked together. The notation is that of `promtool test
 * rules`: `1+2x60` has 60 further values a minute apart, each larger by 2.
 *
 * @typedef {object} AlertCase
 * @property {Record<string, string>} fires
 * @property {Record<string, string>} quiet
 * @property {string} [at] time of the check; 1 h by default
 */

const HTTP = 'millrace_http_request_duration_seconds';
const MIB = 2 ** 20;

/** @type {Record<string, AlertCase>} */
export const ALERT_CASES = {
  MillraceServiceDown: {
    fires: { 'up{job="runs",instance="a"}': '0x60' },
    quiet: { 'up{job="runs",instance="a"}': '1x60', 'up{job="node"}': '0x60' },
  },
  MillraceServiceMissing: {
    fires: {
      'up{job="single"}': '_x60',
      ...Object.fromEntries(
        ['gateway', 'auth', 'workflows', 'runs', 'datasets', 'billing'].map((job) => [`up{job="${job}"}`, '1x60']),
      ),
    },
    quiet: {},
  },
  MillraceServiceNotReady: {
    fires: { 'millrace_ready{job="auth",instance="a",service="auth"}': '0x60' },
    quiet: { 'millrace_ready{job="auth",instance="a",service="auth"}': '1x57 0 0 0' },
  },
  MillraceServiceRestarting: {
    fires: { 'process_start_time_seconds{job="runs",instance="a"}': '1x40 2 3 4 5 6x20' },
    quiet: { 'process_start_time_seconds{job="runs",instance="a"}': '1x40 2 3x20' },
  },
  MillraceEventLoopBlocked: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="runs",instance="a"}': '0.8x60' },
    quiet: { 'nodejs_eventloop_lag_p99_seconds{job="runs",instance="a"}': '0.1x60' },
  },
  MillraceMetricsIncomplete: {
    fires: { 'millrace_metric_source_failures_total{job="runs",source="engine"}': '0+1x60' },
    quiet: { 'millrace_metric_source_failures_total{job="runs",source="engine"}': '9x60' },
  },
  MillraceErrorRate: {
    fires: { [`${HTTP}_count{status="200"}`]: '0+600x60', [`${HTTP}_count{status="503"}`]: '0+60x60' },
    quiet: { [`${HTTP}_count{status="200"}`]: '0+600x60', [`${HTTP}_count{status="503"}`]: '0+6x60' },
  },
  MillraceLatency: {
    fires: latency('/api/workflows', 90),
    quiet: { ...latency('/api/workflows', 99), ...latency('/api/notifications/stream', 0) },
  },
  MillraceOperationErrors: {
    fires: operations('failed'),
    quiet: operations('not_found'),
  },
  MillraceWorkersMissing: {
    fires: {
      'millrace_fleet_waiting_subjobs{fleet="gpu"}': '3x60',
      'millrace_fleet_workers{fleet="gpu",state="active"}': '0x60',
      'millrace_fleet_workers{fleet="gpu",state="draining"}': '1x60',
      'millrace_fleet_workers{fleet="default",state="active"}': '2x60',
    },
    quiet: {
      'millrace_fleet_waiting_subjobs{fleet="gpu"}': '3x60',
      'millrace_fleet_workers{fleet="gpu",state="active"}': '1x60',
    },
  },
  MillraceSlotsExhausted: {
    fires: {
      ...fleet({ slots: '4x60', busy_slots: '4x60', waiting_subjobs: '9x60' }),
      'millrace_fleet_workers{fleet="default",state="active"}': '2x60',
    },
    quiet: fleet({ slots: '4x60', busy_slots: '4x60', waiting_subjobs: '0x60' }),
  },
  MillraceDispatchStuck: {
    fires: fleet({ slots: '4x60', busy_slots: '1x60', oldest_waiting_seconds: '300x60' }),
    quiet: fleet({ slots: '4x60', busy_slots: '4x60', oldest_waiting_seconds: '300x60' }),
  },
  MillraceDispatchesLost: {
    fires: { 'millrace_dispatches_lost_total{cause="silent"}': '0x50 8x10' },
    quiet: { 'millrace_dispatches_lost_total{cause="silent"}': '0x50 1x10' },
  },
  MillraceRunStalled: {
    fires: { 'millrace_runs_stalled{instance="a"}': '1x60', 'millrace_runs_stalled{instance="b"}': '1x60' },
    quiet: { 'millrace_runs_stalled{instance="a"}': '0x60' },
  },
  MillraceOutboxLag: {
    fires: { 'millrace_outbox_lag_seconds{job="runs",service="runs"}': '90x60' },
    quiet: { 'millrace_outbox_lag_seconds{job="runs",service="runs"}': '1x60' },
  },
  MillraceEventLag: {
    fires: { 'millrace_event_lag{consumer="notifications"}': '5000x60' },
    quiet: { 'millrace_event_lag{consumer="notifications"}': '50x60' },
  },
  MillraceEventsFailing: {
    fires: events('failed'),
    quiet: events('succeeded'),
  },
  MillraceQueueAge: {
    fires: { 'millrace_queue_oldest_seconds{queue="mail"}': '900x60' },
    quiet: { 'millrace_queue_oldest_seconds{queue="subjobs-default"}': '900x60' },
  },
  MillraceJobsDead: {
    fires: { 'millrace_queue_jobs{queue="mail",state="failed"}': '9x60' },
    quiet: { 'millrace_queue_jobs{queue="mail",state="waiting"}': '9x60' },
  },
  MillraceDatabasePoolExhausted: {
    fires: { 'millrace_database_connections{job="runs",instance="a",state="waiting"}': '5x60' },
    quiet: { 'millrace_database_connections{job="runs",instance="a",state="active"}': '5x60' },
  },
  MillraceDiskFilling: {
    // The forecast needs six hours of values.
    fires: { ...disk(`${110 * MIB}-${Math.round(0.1 * MIB)}x420`, '600x420'), 'up{job="single"}': '1x420' },
    quiet: disk(`${100 * MIB}x60`, '600x60'),
    at: '7h',
  },
  MillraceDiskFull: {
    fires: disk(`${10 * MIB}x60`, '600x60'),
    quiet: disk(`${100 * MIB}x60`, '600x60'),
  },
  MillraceStorageFailing: {
    fires: storage('failed'),
    quiet: storage('missing'),
  },
  MillraceTableLoadsFailing: {
    fires: outcomes('millrace_table_loads_total', { failed: '0+1x60', completed: '0x60' }),
    quiet: outcomes('millrace_table_loads_total', { failed: '0+1x60', completed: '0+5x60' }),
  },
  MillraceWebhooksFailing: {
    fires: outcomes('millrace_webhook_deliveries_total', { retried: '0+5x60', delivered: '0x60' }),
    quiet: outcomes('millrace_webhook_deliveries_total', { retried: '0+5x60', delivered: '0+5x60' }),
  },
  MillraceMailsFailing: {
    fires: outcomes('millrace_mails_total', { failed: '0+1x60' }),
    quiet: outcomes('millrace_mails_total', { rejected: '0+1x60', sent: '0+1x60' }),
  },
};

/** 100 GET requests a minute, of which some take less than 1 s and the others 5 s. @param {string} route @param {number} fast */
function latency(route, fast) {
  const labels = `method="GET",route="${route}"`;
  return {
    [`${HTTP}_bucket{${labels},le="1"}`]: `0+${fast}x60`,
    [`${HTTP}_bucket{${labels},le="5"}`]: '0+100x60',
    [`${HTTP}_bucket{${labels},le="+Inf"}`]: '0+100x60',
    [`${HTTP}_count{${labels},status="200"}`]: '0+100x60',
  };
}

/** @param {string} outcome */
function operations(outcome) {
  return {
    [`millrace_operation_duration_seconds_count{job="auth",operation="auth.users.get",outcome="${outcome}"}`]:
      '0+60x60',
  };
}

/** @param {string} outcome */
function events(outcome) {
  return {
    [`millrace_events_handled_total{event="runs.run.finished",consumer="notifications",outcome="${outcome}"}`]:
      '0+1x60',
  };
}

/** @param {string} outcome */
function storage(outcome) {
  return {
    [`millrace_storage_operation_duration_seconds_count{job="runs",operation="put",outcome="succeeded"}`]: '0+60x60',
    [`millrace_storage_operation_duration_seconds_count{job="runs",operation="put",outcome="${outcome}"}`]: '0+60x60',
  };
}

/** @param {string} free @param {string} sizeMib a series in MiB */
function disk(free, sizeMib) {
  return {
    'millrace_disk_free_bytes{job="runs",instance="a",folder="objects"}': free,
    'millrace_disk_size_bytes{job="runs",instance="a",folder="objects"}': sizeMib.replace(/^\d+/, (mib) =>
      String(Number(mib) * MIB),
    ),
  };
}

/** @param {Record<string, string>} series */
function fleet(series) {
  return Object.fromEntries(
    Object.entries(series).map(([name, values]) => [`millrace_fleet_${name}{fleet="default"}`, values]),
  );
}

/** @param {string} metric @param {Record<string, string>} series */
function outcomes(metric, series) {
  return Object.fromEntries(
    Object.entries(series).map(([outcome, values]) => [`${metric}{outcome="${outcome}"}`, values]),
  );
}
