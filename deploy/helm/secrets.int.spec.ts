import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SecretOptions } from './secrets/list-secrets.mjs';
import { findProblems } from './testing/find-problems.js';
import { componentOf, listPods, type KubernetesObject, type Pod } from './testing/kubernetes-object.js';
import { renderChart } from './testing/run-helm.js';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'make-secrets.mjs');
type Secret = KubernetesObject & { stringData: Record<string, string> };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function makeSecrets(args: string[] = [], env: SecretOptions['env'] = {}): Promise<Secret[]> {
  const { stdout } = await run(process.execPath, [SCRIPT, folder, ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });
  return (JSON.parse(stdout) as { items: Secret[] }).items;
}

describe('helm:secrets', () => {
  it('prints valid Secrets, the same ones again, and keeps them in files that only their owner can read', async () => {
    const secrets = await makeSecrets();
    expect(secrets.flatMap(findProblems)).toEqual([]);
    expect(await makeSecrets()).toEqual(secrets);
    const modes = ['secrets.json', 'master-keys.json'].map((file) => statSync(join(folder, file)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  it('makes every Secret that the chart refers to, in the namespace of its pod', async () => {
    const env = { SMTP_URL: 'smtp://mail', STRIPE_WEBHOOK_SECRET: 'whsec_1', GOOGLE_CLIENT_SECRET: 'google' };
    const secrets = await makeSecrets(['--worker-namespace', 'millrace-workers'], env);
    const keys = secrets.flatMap(({ metadata, stringData }) =>
      Object.keys(stringData).map((key) => `${metadata.namespace}/${metadata.name}/${key}`),
    );
    // The full values name Secrets that an operator made for some variables.
    const byOthers = ['postgres-auth/uri', 'stripe/secret-key', 'millrace-master-keys/current'];
    const required = [...(await renderChart('minimal')), ...(await renderChart('full'))];
    const worker = (pod: Pod) => (componentOf(pod) === 'worker' ? 'millrace-workers' : 'millrace');
    const missing = listPods(required).flatMap((pod) =>
      (pod.container.env ?? []).flatMap(({ valueFrom }) => {
        const { name = '', key = '', optional = false } = valueFrom?.secretKeyRef ?? {};
        if (!valueFrom || optional || byOthers.includes(`${name}/${key}`)) return [];
        return keys.includes(`${worker(pod)}/${name}/${key}`) ? [] : [`${pod.owner}: ${name}/${key}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  it('gives each service its own role of Postgres, and the owner to migrations only', async () => {
    const secrets = await makeSecrets(['--postgres', 'db.example.org:5432/app?sslmode=verify-full']);
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

  it('refuses a damaged folder, because new secrets would make data unreadable', async () => {
    await makeSecrets();
    writeFileSync(join(folder, 'secrets.json'), '{');
    await expect(makeSecrets()).rejects.toThrow(/secrets\.json cannot be read or is damaged/);
  });

  it('writes values for the chart of NATS that nats-server accepts, without passwords', async () => {
    const secrets = await makeSecrets();
    const text = readFileSync(join(folder, 'nats-values.json'), 'utf8');
    const { config } = JSON.parse(text) as { config: { merge: object } };
    const nats = secrets.find(({ metadata }) => metadata.name === 'millrace-nats')?.stringData ?? {};
    expect(Object.values(nats).filter((password) => text.includes(JSON.parse(password) as string))).toEqual([]);
    // The chart of NATS writes its configuration as JSON, with variables in place of "<< $NAME >>".
    const configuration = JSON.stringify(config.merge).replaceAll(/"<< (\$\w+) >>"/g, '$1');
    writeFileSync(join(folder, 'nats.conf'), configuration);
    const check = (env: Record<string, string>) =>
      run('nats-server', ['-t', '-c', join(folder, 'nats.conf')], { env: { PATH: process.env['PATH'], ...env } });
    expect((await check(nats)).stderr).toMatch(/configuration file .* is valid|is valid/);
    await expect(check({})).rejects.toThrow(/variable reference for .NATS_PASSWORD_/);
  });
});
