import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A program of its own, so that each start of the server renders from what is built by then: reads
 * `{root, file, options}` as JSON from its input and writes the configuration. Who may say what follows from the contracts.
 */
const { root, file, options } = JSON.parse(readFileSync(0, 'utf8'));
const built = pathToFileURL(join(root, 'libs', 'messaging', 'dist', 'broker', 'nats-config.js'));
const { renderNatsConfig } = await import(built.href);
writeFileSync(file, renderNatsConfig(options), { mode: 0o600 });
