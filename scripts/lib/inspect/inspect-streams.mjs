import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { consumerOf, eventStreamOf } from '../../../libs/contracts/dist/kit/event.js';
import { events } from '../../../libs/contracts/dist/registry.js';
import { connectionOptions } from '../../../libs/messaging/dist/wiring/messaging-options.js';
import { tlsFilesOf } from '../../../libs/persistence/dist/connections/tls-env.js';
import { formatTable } from '../format-table.mjs';

/**
 * Counts the events that each service has not handled yet. Only its own service may read a consumer's state, so this
 * connects once as each service.
 * @param {Map<string, NodeJS.ProcessEnv>} environments by service
 */
export async function inspectStreams(environments) {
  const rows = await Promise.all([...environments].map(([service, env]) => inspectConsumers(service, env)));
  return formatTable(['EVENT', 'CONSUMER', 'PENDING', 'UNACKNOWLEDGED', 'REDELIVERED'], rows.flat());
}

/**
 * @param {string} service
 * @param {NodeJS.ProcessEnv} env
 */
async function inspectConsumers(service, env) {
  const consumed = events.filter((event) => event.consumers.some((consumer) => consumer === service));
  if (consumed.length === 0) return [];
  const options = {
    service,
    natsUrl: env.NATS_URL ?? '',
    natsPassword: env.NATS_PASSWORD,
    natsTls: tlsFilesOf(env, 'NATS'),
  };
  const connection = await connect(connectionOptions(/** @type {any} */ (options)));
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    return await Promise.all(
      consumed.map(async (event) => {
        const info = await manager.consumers.info(
          eventStreamOf(event.source),
          consumerOf(/** @type {any} */ (service), event),
        );
        return [event.name, service, info.num_pending, info.num_ack_pending, info.num_redelivered];
      }),
    );
  } finally {
    await connection.close();
  }
}
