import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Reads `{root, file, options}` as JSON from standard input and writes the NATS configuration. It is a separate program, so
 * that each start of the server uses the latest build of the contracts, which determine the permissions.
 */
const { root, file, options } = JSON.parse(readFileSync(0, 'utf8'));
const built = pathToFileURL(join(root, 'libs', 'messaging', 'dist', 'broker', 'nats-config.js'));
const { renderNatsConfig } = await import(built.href);
writeFileSync(file, renderNatsConfig(options), { mode: 0o600 });
