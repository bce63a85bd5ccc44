import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listDebianComponents, listNpmComponents } from './list-components.mjs';

/**
 * Writes /app/sbom.cdx.json, the software bill of materials of the image in which it runs: `write-sbom.mjs <role>`. It lists
 * Node.js, the npm packages and the Debian packages in CycloneDX 1.6, which vulnerability scanners read.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FORMAT = '${Package}\\t${Version}\\t${Architecture}\\n';

const [role = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const release = readFileSync('/etc/os-release', 'utf8');
const read = (/** @type {string} */ name) => new RegExp(`^${name}="?([^"\n]+)`, 'm').exec(release)?.[1] ?? 'unknown';
const debian = execFileSync('dpkg-query', ['--show', `--showformat=${FORMAT}`], { encoding: 'utf8' });
const node = process.versions.node;
const components = [
  {
    type: 'application',
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
  },
  { type: 'operating-system', name: read('ID'), version: read('VERSION_ID') },
  ...listNpmComponents(ROOT),
  ...listDebianComponents(debian, `${read('ID')}-${read('VERSION_ID')}`),
];
const document = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${randomUUID()}`,
  version: 1,
  metadata: {
    timestamp: new Date().toISOString(),
    component: { type: 'container', name: `millrace-${role}`, version, licenses: [{ expression: 'Apache-2.0' }] },
  },
  components: components.map((component, index) => ({ 'bom-ref': `component-${index + 1}`, ...component })),
};
writeFileSync(`${ROOT}sbom.cdx.json`, `${JSON.stringify(document, null, 2)}\n`);
console.log(`Listed ${components.length} components in ${ROOT}sbom.cdx.json`);
