import { describe, expect, it } from '@jest/globals';
import { dataLayout } from '../layout.mjs';
import { DATABASE_SERVICES, SERVICES } from '../services.mjs';
import { serviceEnv, singleEnv } from './app-env.mjs';

const secrets = {
  postgres: 'pg',
  redis: 'rd',
  millrace: 'key',
  database: Object.fromEntries(DATABASE_SERVICES.map((name) => [name, `pg-of-${name}`])),
  nats: Object.fromEntries(SERVICES.map((name) => [name, `nats-of-${name}`])),
};
const urls = { postgres: 'postgresql://owner:hidden@x/m', redis: 'redis://x', nats: 'nats://x' };
const context = (/** @type {NodeJS.ProcessEnv} */ env) => ({
  env,
  urls,
  secrets,
  layout: dataLayout('/data'),
  listen: { host: '127.0.0.1', port: 8080, base: 'http://127.0.0.1:8080' },
});

describe('serviceEnv', () => {
  it('gives a service its own passwords and no others', () => {
    const user = { PATH: '/bin', NATS_PASSWORD_RUNS: 'leaked', DATABASE_URL: 'hidden', DATABASE_URL_RUNS: 'leaked' };
    const env = serviceEnv('auth', context(user));
    expect(env).toMatchObject({
      PATH: '/bin',
      NATS_PASSWORD: 'nats-of-auth',
      NATS_URL: 'nats://x',
      DATABASE_URL: 'postgresql://millrace_auth:pg-of-auth@x/m',
    });
    expect(JSON.stringify(env)).not.toMatch(/nats-of-runs|pg-of-runs|hidden/);
    expect(JSON.stringify(env)).not.toContain('leaked');
  });

  it('gives the database URL only to services with tables', () => {
    const withDatabase = SERVICES.filter((name) => serviceEnv(name, context({})).DATABASE_URL);
    expect(withDatabase).toEqual(SERVICES.filter((name) => name !== 'gateway' && name !== 'worker'));
  });

  it('gives the files for connections to Postgres only to services with tables', () => {
    const user = { DATABASE_CA_FILE: '/ca', REDIS_CA_FILE: '/ca' };
    for (const name of SERVICES) {
      const hasTables = DATABASE_SERVICES.includes(name);
      const { DATABASE_CA_FILE, REDIS_CA_FILE } = serviceEnv(name, context(user));
      expect([DATABASE_CA_FILE, REDIS_CA_FILE]).toEqual([hasTables ? '/ca' : undefined, '/ca']);
    }
    expect(singleEnv(context(user))).toMatchObject(user);
  });

  it('gives the password of workers at NATS to the gateway, and the settings of joined workers to auth alone', () => {
    const user = { WORKER_JOIN_REDIS_URL: 'rediss://r', WORKER_JOIN_SECRET_ACCESS_KEY: 'of workers' };
    for (const name of SERVICES) {
      const env = serviceEnv(name, context(user));
      expect(env.NATS_PASSWORD_WORKER).toBe(name === 'gateway' ? 'nats-of-worker' : undefined);
      expect(env.WORKER_JOIN_SECRET_ACCESS_KEY).toBe(name === 'auth' ? 'of workers' : undefined);
    }
    expect(singleEnv(context(user))).toMatchObject(user);
  });

  it('gives the listen address to the gateway alone', () => {
    const user = { PORT: '9999', HOST: '0.0.0.0', PUBLIC_URL: 'https://m.example' };
    expect(serviceEnv('gateway', context(user))).toMatchObject({
      PORT: '8080',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://m.example',
    });
    expect(Object.keys(serviceEnv('runs', context(user)))).not.toEqual(expect.arrayContaining(['PORT']));
  });

  it('gives the settings of the gateway to the gateway alone, except that auth reports whether Google is offered', () => {
    const user = { RATE_LIMIT_PER_MINUTE: '60', TRUST_PROXY: '1', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'gs' };
    expect(serviceEnv('gateway', context(user))).toMatchObject(user);
    expect(singleEnv(context(user))).toMatchObject(user);
    for (const service of SERVICES.filter((name) => name !== 'gateway')) {
      const names = Object.keys(serviceEnv(service, context(user)));
      const settings = names.filter((name) => /^(RATE|TRUST|GOOGLE)_/.test(name));
      expect({ service, settings }).toEqual({ service, settings: service === 'auth' ? ['GOOGLE_CLIENT_ID'] : [] });
    }
  });

  it('gives the keys of the object store only to services that read or write objects', () => {
    const user = { STORAGE_URL: 's3://b', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'hidden' };
    const withKeys = SERVICES.filter((name) => JSON.stringify(serviceEnv(name, context(user))).includes('hidden'));
    expect([...withKeys].sort()).toEqual(['datasets', 'gateway', 'runs', 'worker']);
    expect(serviceEnv('runs', context(user))).toMatchObject(user);
    expect(singleEnv(context(user))).toMatchObject(user);
  });

  it.each(['auth', 'notifications'])('gives %s the public URL, for the links in mails', (service) => {
    expect(serviceEnv(service, context({})).PUBLIC_URL).toBe('http://127.0.0.1:8080');
    expect(serviceEnv(service, context({ PUBLIC_URL: 'https://m.example' })).PUBLIC_URL).toBe('https://m.example');
    expect(serviceEnv('gateway', context({})).PUBLIC_URL).toBeUndefined();
  });

  it('keeps the user’s own key, mode and folders, and drops the variables of npm', () => {
    const user = { MILLRACE_SECRET: 'mine', NODE_ENV: 'development', STORAGE_DIR: '/files', npm_config_cache: 'x' };
    const env = serviceEnv('runs', context(user));
    expect(env).toMatchObject({
      MILLRACE_SECRET: 'mine',
      NODE_ENV: 'development',
      STORAGE_DIR: '/files',
      WORK_DIR: '/data/work',
    });
    expect(env.npm_config_cache).toBeUndefined();
    expect(serviceEnv('runs', context({}))).toMatchObject({
      MILLRACE_SECRET: 'key',
      NODE_ENV: 'production',
      STORAGE_DIR: '/data/objects',
    });
  });

  it('gives the installation’s secret to all services but the worker', () => {
    for (const name of SERVICES)
      expect(serviceEnv(name, context({})).MILLRACE_SECRET).toBe(name === 'worker' ? undefined : 'key');
  });

  it('gives the mail server’s password to notifications alone', () => {
    const user = { SMTP_URL: 'smtp://u:p@mail', MAIL_FROM: 'M <m@x.y>' };
    expect(serviceEnv('notifications', context(user))).toMatchObject({ ...user, MAIL_DIR: '/data/mail' });
    const others = SERVICES.filter((name) => name !== 'notifications');
    for (const name of others) expect(JSON.stringify(serviceEnv(name, context(user)))).not.toMatch(/smtp:|m@x/);
    expect(singleEnv(context(user))).toMatchObject(user);
  });

  it('gives the keys of the payment provider to billing alone', () => {
    const user = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_hidden', STRIPE_WEBHOOK_SECRET: 'whsec_hidden' };
    expect(serviceEnv('billing', context(user))).toMatchObject(user);
    const others = SERVICES.filter((name) => name !== 'billing');
    for (const name of others) expect(JSON.stringify(serviceEnv(name, context(user)))).not.toMatch(/hidden|PAYMENT/);
    expect(singleEnv(context(user))).toMatchObject(user);
  });

  it('gives the path of the master keys to workflows alone', () => {
    const user = { SECRETS_KEY_FILE: '/keys' };
    expect(serviceEnv('workflows', context({})).SECRETS_KEY_FILE).toBe('/data/master-keys.json');
    expect(serviceEnv('workflows', context(user)).SECRETS_KEY_FILE).toBe('/keys');
    for (const name of SERVICES.filter((service) => service !== 'workflows'))
      expect(serviceEnv(name, context(user)).SECRETS_KEY_FILE).toBeUndefined();
    expect(singleEnv(context({})).SECRETS_KEY_FILE).toBe('/data/master-keys.json');
  });

  it('uses the user’s passwords with the user’s NATS', () => {
    const user = { NATS_URL: 'nats://theirs', NATS_PASSWORD_AUTH: 'a', NATS_PASSWORD: 'all' };
    expect(serviceEnv('auth', context(user)).NATS_PASSWORD).toBe('a');
    expect(serviceEnv('runs', context(user)).NATS_PASSWORD).toBe('all');
    expect(serviceEnv('runs', context({ NATS_URL: 'nats://u:p@theirs' })).NATS_PASSWORD).toBeUndefined();
  });
});

describe('singleEnv', () => {
  it('has the passwords of each service, but not the owner of the database, and the listen address', () => {
    const env = singleEnv(context({}));
    expect(env.DATABASE_URL_AUTH).toBe('postgresql://millrace_auth:pg-of-auth@x/m');
    expect(JSON.stringify(env)).not.toContain('hidden');
    expect(env).toMatchObject({
      NATS_PASSWORD_AUTH: 'nats-of-auth',
      NATS_PASSWORD_WORKER: 'nats-of-worker',
      PORT: '8080',
    });
    expect(Object.keys(env).filter((name) => name.startsWith('NATS_PASSWORD_'))).toHaveLength(SERVICES.length);
  });
});
