/**
 * @param {string} address of the gateway
 * @param {import('./layout.mjs').Layout} layout
 * @param {string} [dashboard] address of the dashboard, if the gateway does not serve it
 */
export function formatAddresses(address, layout, dashboard = address) {
  return [
    `  Dashboard  ${dashboard}/`,
    `  API        ${address}/api`,
    `  Docs       ${address}/api/docs`,
    `  Health     ${address}/health/system`,
    `  Data       ${layout.dir}`,
  ].join('\n');
}
