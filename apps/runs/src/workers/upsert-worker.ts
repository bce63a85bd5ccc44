import type { Heartbeat } from '@millrace/contracts/runs/report';
import type { Transaction } from '@millrace/persistence/database';
import type { WorkerOrder } from './worker-registry.js';

interface Upserted {
  desired: WorkerOrder;
  /** It is new, or has other labels, slots or sizes, or takes work again, or no longer takes any. */
  hasChanged: boolean;
  /** Dispatches are recorded as being with it. */
  hasDispatches: boolean;
}

/** Records what a heartbeat says about its worker. A worker that replaces another one has to do what that one had to do. */
export async function upsertWorker(client: Pick<Transaction, '$queryRaw'>, heartbeat: Heartbeat): Promise<Upserted> {
  const { worker, host, slots, fleet, sizes, version, isolated, programs, state, replaces } = heartbeat;
  const [labels, memory] = [JSON.stringify(heartbeat.labels), JSON.stringify(heartbeat.memory)];
  const [row] = await client.$queryRaw<Upserted[]>`
    WITH former AS MATERIALIZED (SELECT * FROM runs.worker WHERE id = ${worker})
    INSERT INTO runs.worker AS w
      (id, host, slots, fleet, labels, sizes, memory, version, isolated, programs, state, desired, last_seen)
    VALUES (${worker}, ${host}, ${slots}, ${fleet}, ${labels}::jsonb, ${sizes}::text[], ${memory}::jsonb, ${version}, ${isolated},
      ${programs}::text[], ${state}, coalesce((SELECT desired FROM runs.worker WHERE id = ${replaces}), 'active'), now())
    ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, fleet = excluded.fleet, labels = excluded.labels,
      sizes = excluded.sizes, memory = excluded.memory, version = excluded.version, isolated = excluded.isolated,
      programs = excluded.programs, state = excluded.state, last_seen = now()
    RETURNING w.desired, NOT EXISTS (SELECT 1 FROM former f WHERE f.slots = w.slots AND f.fleet = w.fleet
      AND f.labels = w.labels AND f.sizes = w.sizes AND f.state = w.state) AS "hasChanged",
      EXISTS (SELECT 1 FROM runs.dispatch d WHERE d.worker = w.id) AS "hasDispatches"`;
  return row ?? { desired: 'active', hasChanged: true, hasDispatches: true };
}
