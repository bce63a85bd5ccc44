/**
 * @param {string} address of the gateway
 * @param {import('./layout.mjs').Layout} layout
 */
export function addressLines(address, layout) {
  return [
    `  API     ${address}/api`,
    `  Docs    ${address}/api/docs`,
    `  Health  ${address}/health/ready`,
    `  Data    ${layout.dir}`,
  ].join('\n');
}
