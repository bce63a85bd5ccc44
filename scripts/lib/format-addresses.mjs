/**
 * @param {string} address of the gateway
 * @param {import('./layout.mjs').Layout} layout
 */
export function formatAddresses(address, layout) {
  return [
    `  API     ${address}/api`,
    `  Docs    ${address}/api/docs`,
    `  Health  ${address}/health/ready`,
    `  Data    ${layout.dir}`,
  ].join('\n');
}
