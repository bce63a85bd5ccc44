import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { keepSecret } from './keep-secret.js';

/**
 * Hands over the logs of a system of the suite's own, and notes its secrets, before its data directory is removed: they
 * are looked through with all others.
 */
export function keepLogs(dataDir: string, name = basename(dataDir)): void {
  const target = process.env.TEST_LOGS_DIR;
  const [logs, secrets] = [join(dataDir, 'logs'), join(dataDir, 'secrets.json')];
  if (!target || !existsSync(logs)) return;
  cpSync(logs, join(target, name), { recursive: true });
  if (existsSync(secrets)) keepTexts(JSON.parse(readFileSync(secrets, 'utf8')));
}

function keepTexts(value: unknown): void {
  if (typeof value === 'string') keepSecret(value);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(keepTexts);
}
