import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import { natsPermissionsOf } from './nats-permissions.js';

export interface NatsConfigOptions {
  host: string;
  port: number;
  /** Folder for the files of JetStream. */
  storeDir: string;
  passwords: Record<ServiceName, string>;
  /** Maximum message size. A workflow version has up to 10 MiB, or twice that with `previous_data`. */
  maxPayloadBytes?: number;
}

const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

/**
 * Renders the configuration of a nats-server with JetStream, in which every service has credentials and permissions of
 * its own.
 */
export function renderNatsConfig(options: NatsConfigOptions): string {
  const quote = (text: string) => JSON.stringify(text);
  const list = (subjects: string[]) => `[${subjects.map(quote).join(', ')}]`;
  const users = SERVICES.map((service) => {
    const { publish, subscribe } = natsPermissionsOf(service);
    return `    {
      user: ${service}, password: ${quote(options.passwords[service])}
      permissions: {
        publish: { allow: ${list(publish)} }
        subscribe: { allow: ${list(subscribe)} }
        # One response per request: the broker then drops the permission. A higher limit would accumulate permissions, which are searched for every message.
        allow_responses: { max: 1, expires: "1m" }
      }
    }`;
  });
  return `host: ${quote(options.host)}
port: ${options.port}
max_payload: ${options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES}
max_pending: ${4 * (options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES)}
jetstream: { store_dir: ${quote(options.storeDir)} }
authorization: {
  users: [
${users.join('\n')}
  ]
}
`;
}
