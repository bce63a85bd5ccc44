import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes certificates for a test: `ca.pem`; `server` for the addresses, `client` for clients, each with a key; and
 * `other-ca.pem`, which has signed neither. They are valid for a day.
 * @param {string} folder
 * @param {string[]} addresses IP addresses of the servers
 */
export function makeCertificates(folder, addresses = ['127.0.0.1']) {
  const path = (/** @type {string} */ name) => join(folder, name);
  const openssl = (/** @type {string[]} */ ...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const makeKey = (/** @type {string} */ name) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    `${name}-key.pem`,
  ];
  for (const name of ['ca', 'other-ca'])
    openssl(
      'req',
      '-x509',
      ...makeKey(name),
      '-out',
      `${name}.pem`,
      '-days',
      '1',
      '-subj',
      `/CN=Millrace test ${name}`,
    );
  for (const [name, usage] of [
    ['server', 'serverAuth'],
    ['client', 'clientAuth'],
  ]) {
    const names = `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}`;
    const extensions = [`extendedKeyUsage=${usage}`, ...(name === 'server' ? [names] : [])];
    writeFileSync(path(`${name}.ext`), extensions.join('\n'));
    openssl('req', ...makeKey(String(name)), '-out', `${name}.csr`, '-subj', `/CN=Millrace test ${name}`);
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial'],
      ...['-out', `${name}.pem`, '-days', '1', '-extfile', `${name}.ext`],
    );
  }
}
