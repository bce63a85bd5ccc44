import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../scripts/lib/layout.mjs';
import { SERVICES } from '../scripts/lib/services.mjs';
import { ROLES } from './images/roles.mjs';

/**
 * @typedef {object} Container
 * @property {string} image
 * @property {{ target: string }} [build]
 * @property {string} [command]
 * @property {string} [user]
 * @property {boolean} [read_only]
 * @property {string[]} cap_drop
 * @property {string[]} [cap_add]
 * @property {string[]} security_opt
 * @property {string[]} networks
 * @property {Record<string, string>} [environment]
 * @property {Record<string, unknown> | string[]} [depends_on]
 * @property {{ options: Record<string, string> }} logging
 * @property {string} mem_limit
 * @property {number} pids_limit
 * @property {string} [stop_grace_period]
 * @property {string[]} [volumes]
 * @property {{ test?: string[], disable?: boolean }} [healthcheck]
 */

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
/** @type {{ services: Record<string, Container>, volumes: object, networks: Record<string, { internal?: boolean } | null> }} */
const compose = parse(text, { merge: true });
const containers = Object.entries(compose.services);
const get = (/** @type {string} */ name) => /** @type {Container} */ (compose.services[name]);

/**
 * @param {string} name
 * @returns {string[]} the services that start before this one
 */
function listEarlier(name) {
  const needs = get(name).depends_on ?? [];
  const direct = Array.isArray(needs) ? needs : Object.keys(needs);
  return direct.flatMap((other) => [other, ...listEarlier(other)]);
}

describe('docker-compose.yml', () => {
  it('has a container for every service, migrations and the servers', () => {
    const expected = [...SERVICES, 'init', 'migrate', 'rotate', 'postgres', 'redis', 'nats'];
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(expected));
  });

  it('builds the image of every role once, before each container that uses it', () => {
    const built = containers.flatMap(([name, { image, build }]) =>
      build ? [{ name, image, target: build.target }] : [],
    );
    expect(built.map(({ target }) => target).sort()).toEqual(Object.keys(ROLES).sort());
    for (const { image, target } of built) expect(image).toBe(`millrace-${target}`);
    const early = containers.filter(([name, { image }]) => {
      const builder = built.find((one) => one.image === image)?.name;
      return image.startsWith('millrace-') && name !== builder && !listEarlier(name).includes(builder ?? '');
    });
    expect(early.map(([name]) => name)).toEqual([]);
  });

  it.each(containers)(
    'gives %s no root file system to write, no capability by default and no new privileges',
    (_, one) => {
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(one.security_opt).toContain('no-new-privileges:true');
    },
  );

  it.each(containers)('limits the memory, the processes and the log of %s', (_, one) => {
    expect(one.mem_limit).toMatch(/^(\$\{[A-Z0-9]+_MEMORY:-)?\d+[mg]\}?$/);
    expect(one.pids_limit).toBeGreaterThan(0);
    expect(one.logging.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
  });

  it('runs only the worker as root, of the containers of Millrace', () => {
    const own = containers.filter(([, { image }]) => image.startsWith('millrace-'));
    expect(own.filter(([, { user }]) => user !== undefined).map(([name]) => name)).toEqual(['worker']);
    expect(own.filter(([, one]) => one.cap_add).map(([name]) => name)).toEqual(['worker']);
  });

  it.each(SERVICES)('shows whether %s is ready', (service) => {
    expect(get(service).healthcheck?.test).toEqual(['CMD', 'node', '/app/deploy/check-health.mjs', 'ready']);
    expect(get(service).command).toBe(service);
  });

  it('lets a worker finish its steps before it is killed', () => {
    expect(get('worker').stop_grace_period).toBe('${WORKER_STOP_GRACE_PERIOD:-60s}');
  });

  it('keeps the gateway and the worker, with the steps of users, from Postgres', () => {
    expect(compose.networks['database']).toEqual({ internal: true });
    expect(get('postgres').networks).toEqual(['database']);
    expect(['gateway', 'worker'].map((name) => get(name).networks)).toEqual([['default'], ['default']]);
  });

  it('contains no secret: every setting comes from the environment or from a volume', () => {
    const settings = containers.flatMap(([, { environment }]) => Object.entries(environment ?? {}));
    const secret = settings.filter(([name]) => /SECRET|PASSWORD|TOKEN|KEY|_URL$/.test(name));
    const isVariable = (/** @type {string} */ value) => /^\$\{\w+:-\}$/.test(value);
    expect(secret.filter(([name, value]) => !name.endsWith('_FILE') && !isVariable(value))).toEqual([]);
  });

  it('gives each container that keeps running only its own volume of secrets', () => {
    const once = ['init', 'migrate', 'rotate', 'backup', 'restore'];
    for (const [name, { volumes = [] }] of containers.filter(([container]) => !once.includes(container))) {
      const secrets = volumes.filter((volume) => volume.includes('-secrets:'));
      expect(secrets.filter((volume) => volume !== `${name}-secrets:/secrets:ro`)).toEqual([]);
    }
  });

  it('starts its optional containers by a profile each', () => {
    const profiles = Object.fromEntries(
      [...text.matchAll(/^ {2}(\w+):\n(?: {4}.*\n)*? {4}profiles: \[(\w+)\]/gm)].map((m) => [m[1], m[2]]),
    );
    expect(profiles).toEqual({ proxy: 'proxy', s3: 's3', mail: 'mail', metrics: 'metrics', rotate: 'rotate' });
  });
});
