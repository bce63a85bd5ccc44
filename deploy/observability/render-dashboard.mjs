/** Width of a row in Grafana's grid, and the sizes of a graph and of a number in it. */
const GRID_WIDTH = 24;
const GRAPH = { w: 12, h: 8 };
const STAT = { w: 6, h: 4 };

const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };
const ALL_JOBS = 'gateway|auth|workflows|runs|worker|datasets|billing|notifications|single';

/**
 * The JSON model of a dashboard for Grafana 11 and later, with variables for the data source and the services.
 * @param {import('./dashboards.mjs').Dashboard} dashboard
 */
export function renderDashboard({ uid, title, panels }) {
  return {
    uid,
    title,
    tags: ['millrace'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    templating: { list: [dataSourceVariable(), jobVariable()] },
    links: [
      {
        type: 'dashboards',
        title: 'Millrace',
        tags: ['millrace'],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
      },
    ],
    panels: placePanels(panels),
  };
}

const dataSourceVariable = () => ({
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
  hide: 0,
});

const jobVariable = () => ({
  name: 'job',
  label: 'Service',
  type: 'query',
  datasource: DATA_SOURCE,
  definition: `label_values(up{job=~"${ALL_JOBS}"}, job)`,
  query: { query: `label_values(up{job=~"${ALL_JOBS}"}, job)`, refId: 'job' },
  refresh: 2,
  includeAll: true,
  allValue: ALL_JOBS,
  multi: true,
  current: { text: 'All', value: '$__all' },
});

/** @param {import('./dashboards.mjs').Panel[]} panels */
function placePanels(panels) {
  let [x, y, height] = [0, 0, 0];
  return panels.map((panel, index) => {
    const { w, h } = panel.isStat ? STAT : GRAPH;
    if (x + w > GRID_WIDTH || (height > 0 && h !== height)) [x, y, height] = [0, y + height, 0];
    const gridPos = { x, y, w, h };
    [x, height] = [x + w, h];
    return { id: index + 1, gridPos, ...describePanel(panel) };
  });
}

/** @param {import('./dashboards.mjs').Panel} panel */
function describePanel({ title, unit, queries, isStat = false }) {
  return {
    title,
    type: isStat ? 'stat' : 'timeseries',
    datasource: DATA_SOURCE,
    fieldConfig: { defaults: { unit, min: 0, ...(isStat && { noValue: '0' }) }, overrides: [] },
    options: isStat
      ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource: DATA_SOURCE,
      expr,
      legendFormat,
    })),
  };
}
