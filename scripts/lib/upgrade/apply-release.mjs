import { appSpecs } from '../apps/app-specs.mjs';
import { listenAddress } from '../apps/listen-address.mjs';
import { runMigrations } from '../apps/run-migrations.mjs';
import { dataLayout, resolveDataDir, ROOT } from '../layout.mjs';
import { sendSignal } from '../process/end-process.mjs';
import { ensureMasterKeys } from '../servers/ensure-master-keys.mjs';
import { loadSecrets } from '../servers/load-secrets.mjs';
import { natsServer } from '../servers/nats-server.mjs';
import { postgresUrl } from '../servers/postgres-url.mjs';
import { redisServer } from '../servers/redis-server.mjs';
import { readJson } from '../write-json.mjs';

/**
 * Does to a running system what an upgrade does before it replaces a process: adds missing secrets, updates the permissions
 * of NATS, and migrates the database. Prints how to start each process of this release, as JSON.
 */
const layout = dataLayout(resolveDataDir(process.env));
const secrets = loadSecrets(layout.secrets);
ensureMasterKeys(layout.masterKeys);
const ports = readJson(layout.ports);
const options = { root: ROOT, layout, secrets, durable: true };
const nats = natsServer({ ...options, port: ports.nats });
const redis = redisServer({ ...options, port: ports.redis });
const urls = { postgres: postgresUrl(secrets.postgres, ports.postgres), redis: redis.url, nats: nats.url };

await nats.spec.prepare?.();
// The server reads its configuration again, and keeps its connections.
sendSignal(readJson(layout.state).processes.nats.pid, 'SIGHUP');
const context = { root: ROOT, node: process.execPath, env: process.env, secrets };
await runMigrations({ ...context, databaseUrl: urls.postgres });
const specs = appSpecs({ ...context, layout, urls, single: false, listen: listenAddress(process.env) });
console.log(JSON.stringify(specs.map(({ name, command, args, env, cwd }) => ({ name, command, args, env, cwd }))));
