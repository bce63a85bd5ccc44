import { natsPermissionsOf } from '../../../libs/messaging/dist/broker/nats-permissions.js';
import { SERVICES } from '../../../scripts/lib/services.mjs';
import { natsVariable } from './list-secrets.mjs';

const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

/**
 * Values for the chart of NATS (nats-io/k8s): JetStream, and a user with permissions for each service. The chart writes
 * `<< $NAME >>` as a variable, so passwords are in the Secret `millrace-nats` only. Permissions belong to a version of
 * Millrace.
 */
export function makeNatsValues() {
  const users = SERVICES.map((service) => {
    const { publish, subscribe } = natsPermissionsOf(service);
    return {
      user: service,
      password: `<< $${natsVariable(service)} >>`,
      permissions: {
        publish: { allow: publish },
        subscribe: { allow: subscribe },
        allow_responses: { max: 1, expires: '1m' },
      },
    };
  });
  const secretOf = (/** @type {string} */ key) => ({ valueFrom: { secretKeyRef: { name: 'millrace-nats', key } } });
  return {
    config: {
      jetstream: { enabled: true, fileStore: { pvc: { size: '20Gi' } } },
      merge: { max_payload: MAX_PAYLOAD_BYTES, max_pending: 4 * MAX_PAYLOAD_BYTES, authorization: { users } },
    },
    container: {
      env: Object.fromEntries(SERVICES.map((service) => [natsVariable(service), secretOf(natsVariable(service))])),
    },
    // Its tools would need a user of their own.
    natsBox: { enabled: false },
  };
}
