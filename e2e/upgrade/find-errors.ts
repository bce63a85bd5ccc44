import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * NATS forgets who may respond to the calls under way when it reads its permissions again. Their callers retry after a
 * timeout (docs/guides/kubernetes.md).
 */
const LOST_RESPONSE = /Permissions Violation for Publish to \\*"_INBOX_/;

/** The lines of level `error` and `fatal` in the logs of services, and the lines that are no JSON: what Node.js itself wrote. */
export function findErrors(folder: string): string[] {
  const files = readdirSync(folder).filter(
    (name) => name.includes('.log') && !/^(postgres|redis|nats|up)\b/.test(name),
  );
  return files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && isError(line) && !LOST_RESPONSE.test(line))
      .map((line) => `${file}: ${line}`),
  );
}

function isError(text: string): boolean {
  try {
    const { level } = JSON.parse(text) as { level?: string };
    return level === 'error' || level === 'fatal';
  } catch {
    return true;
  }
}
