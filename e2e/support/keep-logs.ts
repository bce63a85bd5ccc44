import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { recordSecret } from './record-secret.js';

/**
 * Copies the logs of a suite's own system and records its secrets before the data directory is removed, so that the search
 * for leaked secrets includes them.
 */
export function keepLogs(dataDir: string, name = basename(dataDir)): void {
  const target = process.env.TEST_LOGS_DIR;
  const [logs, secrets] = [join(dataDir, 'logs'), join(dataDir, 'secrets.json')];
  if (!target || !existsSync(logs)) return;
  cpSync(logs, join(target, name), { recursive: true });
  if (existsSync(secrets)) recordTexts(JSON.parse(readFileSync(secrets, 'utf8')));
}

function recordTexts(value: unknown): void {
  if (typeof value === 'string') recordSecret(value);
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(recordTexts);
}
