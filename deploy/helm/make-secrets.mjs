import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArguments } from '../../scripts/lib/parse-arguments.mjs';
import { runMain, UserError } from '../../scripts/lib/report.mjs';
import { listSecrets } from './secrets/list-secrets.mjs';
import { addMasterKey, loadClusterSecrets } from './secrets/load-cluster-secrets.mjs';
import { makeNatsValues } from './secrets/make-nats-values.mjs';

const USAGE = `npm run --silent helm:secrets -- FOLDER [options] | kubectl apply -f -

Prints the Secrets of a cluster. FOLDER keeps the secrets, so the same ones are printed again: back it up, and show it to
nobody. Writes FOLDER/nats-values.json for the chart of NATS.

  --namespace NAME           of the services (millrace)
  --worker-namespace NAME    of the workers (that of the services)
  --servers-namespace NAME   of Postgres, Redis and NATS (millrace-servers)
  --postgres ADDRESS         host:port/database?parameters (postgres-rw.<servers>:5432/millrace)
  --redis URL                without a password (redis://redis.<servers>:6379/0)
  --add-master-key           begins a rotation of the master keys of secret variables

From the environment, if set: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, SMTP_URL, GOOGLE_CLIENT_SECRET, STRIPE_SECRET_KEY,
STRIPE_WEBHOOK_SECRET.`;

await runMain(async () => {
  const text = /** @type {const} */ ({ type: 'string' });
  const { values, positionals } = parseArguments(
    {
      options: {
        ...{ namespace: text, 'worker-namespace': text, 'servers-namespace': text, postgres: text, redis: text },
        'add-master-key': { type: 'boolean' },
        help: { type: 'boolean' },
      },
      allowPositionals: true,
    },
    USAGE,
  );
  if (values.help) return console.log(USAGE);
  const [folder, ...others] = positionals;
  if (!folder || others.length > 0) throw new UserError(`Name one folder for the secrets.\n\n${USAGE}`, 2);
  const { 'add-master-key': addsKey, help: _, ...options } = values;
  const { namespace = 'millrace', 'servers-namespace': servers = 'millrace-servers' } = options;
  const { postgres = `postgres-rw.${servers}:5432/millrace`, redis = `redis://redis.${servers}:6379/0` } = options;
  if (!URL.canParse(redis) || !/^rediss?:$/.test(new URL(redis).protocol))
    throw new UserError(`--redis must be a URL such as redis://redis:6379/0 (got ${redis}).`, 2);
  const workerNamespace = options['worker-namespace'] ?? namespace;
  loadClusterSecrets(folder);
  if (addsKey) addMasterKey(folder);
  const items = listSecrets(loadClusterSecrets(folder), {
    ...{ namespace, workerNamespace, serversNamespace: servers, postgres, redis, env: process.env },
  });
  writeFileSync(join(folder, 'nats-values.json'), `${JSON.stringify(makeNatsValues(), null, 2)}\n`);
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2));
});
