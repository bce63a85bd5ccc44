import { randomUUID } from 'node:crypto';

/** The name and version that a client gives itself. */
export interface ClientInfo {
  name: string;
  version: string;
}

const MAX_LENGTH = 100;

/**
 * Makes the id of a session. Clients of the protocol before 2026-07-28 name themselves only once, so the id carries the name: any
 * copy of the gateway can read it, and none stores anything. It is no credential; each request has its own.
 */
export function createSessionId({ name, version }: ClientInfo): string {
  const fields = [name, version].map((text) => text.toWellFormed().slice(0, MAX_LENGTH));
  return `${randomUUID()}.${Buffer.from(JSON.stringify(fields)).toString('base64url')}`;
}

/** The client that a session id names; null if the id is not one of `createSessionId`. */
export function readSessionId(id: string): ClientInfo | null {
  const [, encoded] = /^[0-9a-f-]{36}\.([\w-]{1,2000})$/.exec(id) ?? [];
  if (encoded === undefined) return null;
  try {
    const [name, version] = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as unknown[];
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
  } catch {
    return null;
  }
}

/** Reads what a client sends about itself; null if it is something else. */
export function toClientInfo(value: unknown): ClientInfo | null {
  const { name, version } = (value ?? {}) as { name?: unknown; version?: unknown };
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
}

/** The user agent of the requests that the server sends to the REST API for a client, which the audit log shows. */
export function toUserAgent(client: ClientInfo | null): string {
  const clean = (text: string) =>
    text
      .replaceAll(/[^\x20-\x7e]|[()\\]/g, '')
      .slice(0, MAX_LENGTH)
      .trim();
  const [name, version] = [clean(client?.name ?? ''), clean(client?.version ?? '')];
  return name === '' ? 'millrace-mcp' : `millrace-mcp (${[name, version].filter(Boolean).join(' ')})`;
}
