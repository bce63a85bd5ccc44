import { describe, expect, it } from '@jest/globals';
import { dataLayout } from '../layout.mjs';
import { DATABASE_SERVICES, SERVICES } from '../services.mjs';
import { appSpecs } from './app-specs.mjs';

const ofEach = (/** @type {string[]} */ names) =>
  Object.fromEntries(names.map((name) => [name, `password of ${name}`]));

/**
 * @param {boolean} single
 * @param {NodeJS.ProcessEnv} [env]
 */
const specsOf = (single, env = {}) =>
  appSpecs({
    ...{ single, env, root: '/millrace', node: 'node', layout: dataLayout('/data') },
    urls: { postgres: 'postgresql://owner@x/m', redis: 'redis://x', nats: 'nats://x' },
    secrets: {
      postgres: 'pg',
      redis: 'rd',
      millrace: 'key',
      database: ofEach(DATABASE_SERVICES),
      nats: ofEach(SERVICES),
    },
    listen: { host: '127.0.0.1', port: 8080, base: 'http://127.0.0.1:8080' },
  });
const namesOf = (/** @type {ReturnType<typeof appSpecs>} */ specs) => specs.map(({ name }) => name);

describe('the processes of the services', () => {
  it('are one for each service', () => {
    expect(namesOf(specsOf(false, { SEPARATE_SERVICES: 'worker' }))).toEqual(SERVICES);
  });

  it('are one for all with --single', () => {
    expect(specsOf(true)).toMatchObject([{ name: 'single', pidNames: SERVICES }]);
  });

  it('are separate for the services that SEPARATE_SERVICES names, and one for the others', () => {
    const [single, ...separate] = specsOf(true, { SEPARATE_SERVICES: 'worker,billing' });
    expect(single?.pidNames).toEqual(SERVICES.filter((name) => name !== 'worker' && name !== 'billing'));
    expect(single?.env?.SEPARATE_SERVICES).toBe('worker,billing');
    expect(namesOf(separate)).toEqual(['worker', 'billing']);
  });

  it('have different ports for their probes', () => {
    const specs = specsOf(true, { SEPARATE_SERVICES: 'gateway,worker', HEALTH_PORT: '9000' });
    expect(specs.map(({ env }) => env?.HEALTH_PORT)).toEqual(['9001', '9000', '9004']);
  });

  it('cannot be those of an unknown service', () => {
    expect(() => specsOf(true, { SEPARATE_SERVICES: 'biling' })).toThrow('(got "biling"). These exist: gateway,');
  });
});
