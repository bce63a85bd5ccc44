import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listSecrets, type Secret, type SecretOptions } from './secrets/list-secrets.mjs';
import { addMasterKey, loadClusterSecrets } from './secrets/load-cluster-secrets.mjs';
import { findProblems } from './testing/find-problems.js';
import { listPods } from './testing/kubernetes-object.js';
import { renderChart } from './testing/run-helm.js';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'make-secrets.mjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As the command does, but in this process, which takes a hundredth of the time. */
function makeSecrets(options: Partial<SecretOptions> = {}): Secret[] {
  const namespaces = { namespace: 'millrace', workerNamespace: 'millrace', serversNamespace: 'servers' };
  const addresses = { postgres: 'postgres:5432/millrace', redis: 'redis://redis:6379/0' };
  const defaults = { ...namespaces, ...addresses, env: {} };
  return listSecrets(loadClusterSecrets(folder), { ...defaults, ...options });
}

describe('the Secrets of a cluster', () => {
  it('are valid, the same ones each time, and kept in files that only their owner can read', () => {
    const secrets = makeSecrets();
    expect(secrets.flatMap(findProblems)).toEqual([]);
    expect(makeSecrets()).toEqual(secrets);
    const modes = ['secrets.json', 'master-keys.json'].map((file) => statSync(join(folder, file)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it('contain every key that the chart refers to, in the namespace of its pod', async () => {
    const env = { SMTP_URL: 'smtp://mail', STRIPE_WEBHOOK_SECRET: 'whsec_1', GOOGLE_CLIENT_SECRET: 'google' };
    const secrets = makeSecrets({ workerNamespace: 'millrace-workers', env });
    const keys = secrets.flatMap(({ metadata, stringData }) =>
      Object.keys(stringData).map((key) => `${metadata.namespace}/${metadata.name}/${key}`),
    );
    // The full values name Secrets that an operator made for some variables.
    const byOthers = ['postgres-auth/uri', 'stripe/secret-key', 'backup-s3/id', 'backup-s3/secret'];
    const pods = listPods(await renderChart('full'));
    const missing = pods.flatMap(({ owner, namespace, container }) =>
      (container.env ?? []).flatMap(({ valueFrom }) => {
        const { name = '', key = '', optional = false } = valueFrom?.secretKeyRef ?? {};
        if (!valueFrom || optional || byOthers.includes(`${name}/${key}`)) return [];
        return keys.includes(`${namespace}/${name}/${key}`) ? [] : [`${owner}: ${namespace}/${name}/${key}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  it('give each service its own role of Postgres, and the owner to migrations only', () => {
    const secrets = makeSecrets({ postgres: 'db.example.org:5432/app?sslmode=verify-full' });
    const users = secrets.flatMap(({ stringData: { DATABASE_URL } }) => (DATABASE_URL ? [new URL(DATABASE_URL)] : []));
    expect(users.map(({ username }) => username)).toEqual([
      ...['millrace_auth', 'millrace_workflows', 'millrace_runs', 'millrace_datasets', 'millrace_billing'],
      ...['millrace_notifications', 'millrace'],
    ]);
    expect([...new Set(users.map(({ host, search }) => host + search))]).toEqual([
      'db.example.org:5432?sslmode=verify-full',
    ]);
    expect(new Set(users.map(({ password }) => password)).size).toBe(users.length);
  });

  it('have one more master key, in front, after a rotation has begun', () => {
    const readKeys = (secrets: Secret[]) => {
      const { stringData } = secrets.find(({ metadata }) => metadata.name === 'millrace-workflows') ?? {};
      return (JSON.parse(stringData?.['master-keys.json'] ?? '') as { keys: { id: string; key: string }[] }).keys;
    };
    const [first] = readKeys(makeSecrets());
    addMasterKey(folder);
    addMasterKey(folder);
    expect(readKeys(makeSecrets())).toEqual([{ id: expect.any(String), key: expect.stringMatching(/^.{43}$/) }, first]);
  });

  it('are not made again if the folder is damaged, because data would become unreadable', () => {
    makeSecrets();
    writeFileSync(join(folder, 'secrets.json'), '{');
    expect(makeSecrets).toThrow(/secrets\.json cannot be read or is damaged/);
  });
});

it('helm:secrets prints them, and writes values for the chart of NATS that nats-server accepts', async () => {
  const PATH = process.env['PATH'] ?? '';
  const { stdout } = await run(process.execPath, [SCRIPT, folder, '--servers-namespace', 'servers'], { env: { PATH } });
  const secrets = (JSON.parse(stdout) as { items: Secret[] }).items;
  expect(secrets.map(({ metadata }) => metadata)).toEqual(makeSecrets().map(({ metadata }) => metadata));
  const text = readFileSync(join(folder, 'nats-values.json'), 'utf8');
  const nats = secrets.find(({ metadata }) => metadata.name === 'millrace-nats')?.stringData ?? {};
  expect(Object.values(nats).filter((password) => text.includes(JSON.parse(password) as string))).toEqual([]);
  // The chart of NATS writes its configuration as JSON, with variables in place of "<< $NAME >>".
  const { config } = JSON.parse(text) as { config: { merge: object } };
  writeFileSync(join(folder, 'nats.conf'), JSON.stringify(config.merge).replaceAll(/"<< (\$\w+) >>"/g, '$1'));
  const check = (env: Record<string, string>) =>
    run('nats-server', ['-t', '-c', join(folder, 'nats.conf')], { env: { PATH, ...env } });
  expect((await check(nats)).stderr).toMatch(/is valid/);
  await expect(check({})).rejects.toThrow(/variable reference for .NATS_PASSWORD_/);
});
